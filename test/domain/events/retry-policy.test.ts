// When a failed attempt is retried, and when retries end.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DEFAULT_RETRY_POLICY,
  decideRetry,
  parseRetryAfter,
  RETRY_PRESETS,
} from '../../../src/domain/events/retry-policy.ts'

const decide = (retryCount: number, over: { retryAfterMs?: number; dice?: number } = {}) =>
  decideRetry(RETRY_PRESETS.quick, { retryCount, now: 10_000, dice: 0, ...over })

describe('decideRetry()', () => {
  it('retries three times with the preset quick, after one, two and four seconds, then no more', () => {
    expect([0, 1, 2, 3, 4].map((count) => decide(count))).toEqual([
      { kind: 'retry', atMs: 11_000 },
      { kind: 'retry', atMs: 12_000 },
      { kind: 'retry', atMs: 14_000 },
      { kind: 'exhausted' },
      { kind: 'exhausted' },
    ])
  })

  it('never retries without delays', () => {
    expect(decideRetry({ delaysMs: [] }, { retryCount: 0, now: 0, dice: 0 })).toEqual({ kind: 'exhausted' })
  })

  it('retries at once if the delay is zero', () => {
    const decision = decideRetry({ delaysMs: [0] }, { retryCount: 0, now: 7, dice: 0.9 })
    expect(decision).toEqual({ kind: 'retry', atMs: 7 })
  })

  it('lets Retry-After lengthen the wait, never shorten it', () => {
    expect(decide(0, { retryAfterMs: 60_000 })).toEqual({ kind: 'retry', atMs: 70_000 })
    expect(decide(0, { retryAfterMs: 10 })).toEqual({ kind: 'retry', atMs: 11_000 })
    expect(decide(0, { retryAfterMs: 0 })).toEqual({ kind: 'retry', atMs: 11_000 })
    expect(decide(3, { retryAfterMs: 60_000 })).toEqual({ kind: 'exhausted' })
  })

  it('waits for the delay and a random part of half of it, in whole milliseconds', () => {
    const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), dice, (retryCount, thrown) => {
        const decision = decide(retryCount, { dice: thrown })
        const leastMs = RETRY_PRESETS.quick.delaysMs[retryCount]!
        return (
          decision.kind === 'retry' &&
          Number.isInteger(decision.atMs) &&
          decision.atMs - 10_000 >= leastMs &&
          decision.atMs - 10_000 <= 1.5 * leastMs
        )
      }),
    )
    expect(decide(1, { dice: 0.5 })).toEqual({ kind: 'retry', atMs: 12_500 })
  })

  it('retries by default after the waits of quick, and then for ten minutes at least', () => {
    const { delaysMs } = DEFAULT_RETRY_POLICY
    expect(delaysMs.slice(0, 3)).toEqual(RETRY_PRESETS.quick.delaysMs)
    expect(delaysMs.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(10 * 60_000)
  })

  it('retries for days with the preset standard', () => {
    const { delaysMs } = RETRY_PRESETS.standard
    expect(delaysMs).toHaveLength(9)
    expect(delaysMs.reduce((sum, ms) => sum + ms, 0) / 3_600_000).toBeCloseTo(75.6, 1)
  })
})

describe('parseRetryAfter()', () => {
  const now = Date.parse('2026-06-15T09:00:00Z')
  const DAY_MS = 86_400_000

  it.each([
    ['seconds', '120', 120_000],
    ['an HTTP date', 'Mon, 15 Jun 2026 09:00:30 GMT', 30_000],
    ['exactly a day', '86400', DAY_MS],
    ['more than a day, cut to a day', '86401', DAY_MS],
    ['a date far ahead, cut to a day', 'Fri, 01 Jan 2100 00:00:00 GMT', DAY_MS],
  ])('reads %s', (_, text, expected) => {
    expect(parseRetryAfter(text, now)).toBe(expected)
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['zero', '0'],
    ['a date that has passed', 'Mon, 15 Jun 2026 08:59:59 GMT'],
    ['a fraction or a word', 'soon'],
  ])('ignores %s', (_, text) => {
    expect(parseRetryAfter(text, now)).toBeNull()
  })
})
