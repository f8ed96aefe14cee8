// The pace of sends: how many queued events can start soon.
import { expect, it } from 'vitest'
import { createPace } from '../../../src/engine/deliver/pace.ts'

it('a pace starts nothing before the first send has ended', () => {
  expect(createPace(10).startsWithin(1_000)).toBe(0)
})

it('a pace starts as many events as slots become free in that time', () => {
  const pace = createPace(10)
  pace.onEnd(200)
  expect([pace.startsWithin(200), pace.startsWithin(500), pace.startsWithin(39)]).toEqual([10, 25, 1])
})

it('a pace follows a receiver that becomes slow within a hundred sends, and ignores a single slow send', () => {
  const pace = createPace(10)
  pace.onEnd(100)
  pace.onEnd(200)
  expect(pace.startsWithin(1_000)).toBeGreaterThanOrEqual(95)
  for (let i = 0; i < 100; i++) pace.onEnd(1_000)
  expect(pace.startsWithin(1_000)).toBe(10)
})

it('a pace counts a send as 1 ms at least, even if the clock is set back', () => {
  const pace = createPace(1)
  pace.onEnd(-5_000)
  expect(pace.startsWithin(10)).toBe(10)
})
