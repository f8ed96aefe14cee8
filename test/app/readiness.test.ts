// The readiness check is a write: its result is reused for two seconds, good or bad.
import { describe, expect, it } from 'vitest'
import { createReadiness, createRequestReadiness } from '../../src/app/readiness.ts'
import { createTestClock, T0 } from '../support/fixtures.ts'

describe.each([
  ['of a process', createReadiness],
  ['of a Worker', createRequestReadiness],
])('the readiness %s', (_, create) => {
  it('is checked at most once in two seconds, and reports the last result until then', async () => {
    const clock = createTestClock(T0)
    let checks = 0
    let full = false
    const ready = create(clock, async () => {
      checks += 1
      if (full) throw new Error('disk full')
    })
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
