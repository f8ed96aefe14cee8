// The readiness check is a write: its result is reused for two seconds, good or bad.
import { describe, expect, it } from 'vitest'
import { createReadiness } from '../../src/app/readiness.ts'
import { createTestClock, T0 } from '../support/fixtures.ts'

describe.each([
  ['of a process', true],
  ['of a Worker', false],
])('the readiness %s', (_, sharesChecks) => {
  it('is checked at most once in two seconds, and reports the last result until then', async () => {
    const clock = createTestClock(T0)
    let checks = 0
    let full = false
    const check = async () => {
      checks += 1
      if (full) throw new Error('disk full')
    }
    const ready = createReadiness(clock, check, { sharesChecks })
    await ready()
    full = true
    await ready()
    expect(checks).toBe(1)
    await clock.advanceTo(T0 + 2_000)
    await expect(ready()).rejects.toThrow('disk full')
    full = false
    await expect(ready()).rejects.toThrow('disk full')
    expect(checks).toBe(2)
    await clock.advanceTo(T0 + 4_000)
    await ready()
    expect(checks).toBe(3)
  })
})

it('the readiness of a process shares one check among concurrent callers', async () => {
  let checks = 0
  const ready = createReadiness(createTestClock(T0), async () => {
    checks += 1
  })
  await Promise.all(Array.from({ length: 50 }, () => ready()))
  expect(checks).toBe(1)
})

it('the readiness of a Worker shares no check among concurrent requests', async () => {
  let checks = 0
  const check = async () => {
    checks += 1
  }
  const ready = createReadiness(createTestClock(T0), check, { sharesChecks: false })
  await Promise.all([ready(), ready()])
  expect(checks).toBe(2)
})
