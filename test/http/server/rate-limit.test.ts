// The rate limiter over time, and its memory bound.
import { expect, it } from 'vitest'
import { createRateLimiter } from '../../../src/http/server/rate-limit.ts'
import { clockAt } from '../../support/fixtures.ts'

function limiterAt(perMinute: number) {
  const time = { now: 0 }
  const clock = clockAt(() => time.now)
  return { time, limit: createRateLimiter(clock, perMinute) }
}

it('the rate limiter refills in proportion to time, up to the limit', () => {
  const { time, limit } = limiterAt(60)
  for (let i = 0; i < 60; i++) limit('a')
  expect(limit('a').waitMs).toBe(1_000)
  time.now = 1_000
  expect(limit('a').waitMs).toBe(0)
  expect(limit('a').waitMs).toBe(1_000)
  time.now = 86_400_000
  expect(limit('a').left).toBe(59)
})

it('the rate limiter keeps ten thousand callers and drops the least recent', () => {
  const { limit } = limiterAt(3)
  limit('busy')
  limit('quiet')
  for (let i = 0; i < 9_998; i++) limit(`caller ${i}`)
  limit('busy')
  limit('one more')
  expect(limit('busy').left).toBe(0)
  expect(limit('quiet').left).toBe(2)
})
