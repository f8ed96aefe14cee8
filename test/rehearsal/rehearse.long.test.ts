import { describe, expect, it } from 'vitest'
import { DELIVER_ALWAYS, missedAfter } from '../../src/domain/events/lateness.ts'
import { DEFAULT_RETRY_POLICY } from '../../src/domain/events/retry-policy.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import type { Dice } from '../../src/ports/clock.ts'
import { parsePeople } from '../../src/rehearsal/people.ts'
import { parseOutage, parseRange, type Span } from '../../src/rehearsal/range.ts'
import { type Plan, rehearse } from '../../src/rehearsal/rehearse.ts'
import { seededDice } from '../../src/rehearsal/seeded-dice.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../support/fixtures.ts'

const SETTINGS: Plan['settings'] = {
  deliverAt: '09:00',
  concurrency: 256,
  retryPolicy: DEFAULT_RETRY_POLICY,
  lateness: DELIVER_ALWAYS,
}

function spanOf(parsed: { span: Span } | { problem: string }): Span {
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed.span
}

/** Every response takes 50 ms and every retry delay is the longest, so that the figures are exact. */
const EVEN: Dice = () => 0

function run(
  texts: string[],
  how: { to?: string; outage?: string; dice?: Dice; settings?: Partial<Plan['settings']> } = {},
) {
  const range = spanOf(parseRange({ from: '2026-01-01', to: how.to ?? '2026-12-31' }, 0))
  const { people, problems } = parsePeople(texts, { now: range.startsAt, table: tzdb })
  expect(problems).toEqual([])
  const outage = how.outage === undefined ? null : spanOf(parseOutage(how.outage, range))
  const settings = { ...SETTINGS, ...how.settings }
  return rehearse({ people, range, outage, settings, table: tzdb, dice: how.dice ?? EVEN }, () => {})
}

const people = (count: number, text: string) => Array.from({ length: count }, () => text)

/** Three people before the outage of 15 December from midnight to six, one during it, two after it. */
const ONE_IN_IT = [
  ...people(3, '1990-12-14 Europe/London'),
  '1990-12-15 Asia/Jakarta',
  ...people(2, '1990-12-15 Europe/London'),
]
const FIVE_IN_IT = [...ONE_IN_IT, ...people(4, '1990-12-15 Asia/Jakarta')]
const SIX_HOURS = '2026-12-15T00:00Z/PT6H'

/** Longer than an event waits for its destination without using a retry. */
const NINE_DAYS = '2026-12-15T00:00Z/P9D'

const NO_RETRIES = { retryPolicy: { delaysMs: [] } }

describe('a rehearsal', () => {
  it('without an outage delivers every message on time, at the first attempt', async () => {
    expect(await run([...FIVE_IN_IT, '1992-02-29 America/Vancouver', '1990-01-01 Asia/Tokyo'])).toEqual({
      people: 12,
      eventsDue: 12,
      delivered: 12,
      onTime: 12,
      late: 0,
      medianLateMs: null,
      worstLateMs: null,
      attempts: 12,
      retries: 0,
      busiestMinute: { at: Date.parse('2026-12-15T02:00Z'), attempts: 5 },
      failed: [],
      open: 0,
      unaccounted: 0,
      ambiguousRepeats: 0,
    })
  })

  it('reports an event that used up its retries in an outage as failed, with its person', async () => {
    expect(await run(ONE_IN_IT, { outage: SIX_HOURS, settings: NO_RETRIES })).toEqual({
      people: 6,
      eventsDue: 6,
      delivered: 5,
      onTime: 5,
      late: 0,
      medianLateMs: null,
      worstLateMs: null,
      attempts: 6,
      retries: 0,
      busiestMinute: expect.anything(),
      failed: [
        {
          who: 'person 4',
          occurrence: '2026',
          dueAt: Date.parse('2026-12-15T02:00Z'),
          reason: 'RETRIES_EXHAUSTED: 1 attempt, the last: CONNECTION: ECONNREFUSED',
        },
      ],
      open: 0,
      unaccounted: 0,
      ambiguousRepeats: 0,
    })
  })

  it('sends a message in the year after a failure', async () => {
    const report = await run(ONE_IN_IT, { outage: SIX_HOURS, to: '2027-12-31', settings: NO_RETRIES })
    expect(report).toMatchObject({ eventsDue: 12, delivered: 11, unaccounted: 0 })
    expect(report.failed).toHaveLength(1)
  })

  it('reports the delay of a message that waited for the end of the outage', async () => {
    const report = await run(ONE_IN_IT, { outage: SIX_HOURS })
    expect(report).toMatchObject({ delivered: 6, onTime: 5, late: 1, failed: [] })
    // Due at two; the outage ends at six.
    expect(report.worstLateMs).toBeGreaterThanOrEqual(4 * HOUR + 50)
    expect(report.medianLateMs).toBe(report.worstLateMs)
  })

  it('delivers a single event after the outage, with few retries', async () => {
    const settings = { retryPolicy: { delaysMs: [SECOND] } }
    const report = await run(ONE_IN_IT, { outage: SIX_HOURS, settings })
    expect(report).toMatchObject({ delivered: 6, onTime: 5, late: 1, failed: [] })
    expect(report.worstLateMs).toBeLessThan(4 * HOUR + 10 * MINUTE)
  })

  it('delivers events that the circuit breaker parked soon after the outage', async () => {
    const report = await run(FIVE_IN_IT, { outage: SIX_HOURS })
    expect(report).toMatchObject({ eventsDue: 10, delivered: 10, onTime: 5, late: 5, failed: [] })
    expect(report.medianLateMs).toBeGreaterThanOrEqual(4 * HOUR)
    expect(report.worstLateMs).toBeLessThan(4 * HOUR + 10 * MINUTE)
    expect(report.retries).toBe(report.attempts - 10)
  })

  it('counts a retry within a minute as on time', async () => {
    const report = await run(ONE_IN_IT, { outage: '2026-12-15T02:00Z/PT2S' })
    // Attempts: at once, after one second, and two seconds later.
    expect(report).toMatchObject({ delivered: 6, onTime: 6, late: 0, retries: 2 })
  })

  it('counts a message that was sent again because the response was lost as a possible duplicate', async () => {
    // The response takes 50 ms: the message arrives, and the receiver goes down before it responds.
    const report = await run(ONE_IN_IT, { outage: '2026-12-15T02:00:00.010Z/PT1S' })
    expect(report).toMatchObject({ delivered: 6, retries: 1, ambiguousRepeats: 1, failed: [] })
  })

  it('counts an event that is still open at the end only as open', async () => {
    const retryPolicy = { delaysMs: [30 * DAY] }
    const report = await run(ONE_IN_IT, { outage: NINE_DAYS, settings: { retryPolicy } })
    expect(report).toMatchObject({ delivered: 3, failed: [], open: 3, unaccounted: 0 })
  })

  it('reports a year that was never planned because the year before was still being retried', async () => {
    const retryPolicy = { delaysMs: [400 * DAY] }
    const report = await run(ONE_IN_IT, { outage: NINE_DAYS, to: '2028-12-31', settings: { retryPolicy } })
    expect(report).toMatchObject({ eventsDue: 18, delivered: 15, failed: [], open: 0, unaccounted: 3 })
  })

  it('uses the settings of the environment', async () => {
    const settings = { deliverAt: '07:00', retryPolicy: { delaysMs: [] } }
    const report = await run(ONE_IN_IT, { outage: SIX_HOURS, settings })
    expect(report.failed).toMatchObject([
      {
        dueAt: Date.parse('2026-12-15T00:00Z'),
        reason: expect.stringMatching(/^RETRIES_EXHAUSTED: 1 attempt/),
      },
    ])
  })

  it('sends no more at once than CONCURRENCY allows', async () => {
    const one = await run(people(1_500, '1990-12-15 Etc/UTC'), { settings: { concurrency: 1 } })
    // One response after the other, each of 50 ms: 75 seconds, the last 15 of them late.
    expect(one).toMatchObject({ delivered: 1_500, onTime: 1_199, late: 301, worstLateMs: 75 * SECOND })
    const many = await run(people(1_500, '1990-12-15 Etc/UTC'), { settings: { concurrency: 256 } })
    expect(many).toMatchObject({ delivered: 1_500, onTime: 1_500 })
  })

  it('reports events that were too late to be sent as missed', async () => {
    const settings = { concurrency: 1, lateness: missedAfter(30 * SECOND) }
    const report = await run(people(3_500, '1990-12-15 Etc/UTC'), { settings })
    expect(report.failed.length).toBeGreaterThan(0)
    expect(report.failed[0]?.reason).toMatch(/^MISSED_WINDOW: \d+ s late/)
    expect(report).toMatchObject({ attempts: report.delivered, unaccounted: 0 })
  })

  it('has the same result for the same seed', async () => {
    const settings = { retryPolicy: { delaysMs: [7 * HOUR, 7 * HOUR, 7 * HOUR] } }
    const [first, again, other] = await Promise.all(
      [3, 3, 4].map((seed) => run(ONE_IN_IT, { outage: SIX_HOURS, dice: seededDice(seed), settings })),
    )
    expect(first!.late).toBe(1)
    expect(again).toEqual(first)
    expect(other!.worstLateMs).not.toBe(first!.worstLateMs)
  })
})
