import { describe, expect, it } from 'vitest'
import { type Context, reportText } from '../../../src/cli/output/rehearsal-report.ts'
import type { Report } from '../../../src/rehearsal/rehearse.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'

const START = Date.parse('2026-01-01T00:00Z')
const CONTEXT: Context = {
  range: { startsAt: START, endsAt: START + 365 * DAY },
  outage: null,
  retryPolicy: { delaysMs: [] },
  tzVersion: '2026f',
}
const NOTHING: Report = {
  people: 1,
  eventsDue: 0,
  delivered: 0,
  onTime: 0,
  late: 0,
  medianLateMs: null,
  worstLateMs: null,
  attempts: 0,
  retries: 0,
  busiestMinute: null,
  failed: [],
  open: 0,
  unaccounted: 0,
  ambiguousRepeats: 0,
}

const text = (report: Partial<Report>, context: Partial<Context> = {}) =>
  reportText({ ...NOTHING, ...report }, { ...CONTEXT, ...context })

const failures = (count: number, reason: string) =>
  Array.from({ length: count }, (_, i) => ({
    who: `line ${i + 2}`,
    occurrence: '2026',
    dueAt: START,
    reason,
  }))

describe('the report of a rehearsal', () => {
  it('contains the median and the worst delay', () => {
    const late = {
      delivered: 1_234_567,
      late: 3,
      medianLateMs: 90 * SECOND,
      worstLateMs: 36 * HOUR + 5 * MINUTE,
    }
    expect(text(late)).toMatch(/^delivered +1,234,567$/m)
    expect(text(late)).toMatch(/^ {2}late +3 {2}\(median 1 min 30 s, worst 1 d 12 h\)$/m)
  })

  it('counts events that are still retried at the end, and omits the line if there are none', () => {
    expect(text({ open: 2 })).toMatch(/^still retrying +2 {2}\(at the end\)$/m)
    expect(text({})).not.toMatch(/still retrying|unaccounted|busiest|Failed/)
  })

  it('lists 50 failures, and refers to --json for the rest', () => {
    const failed = [...failures(40, 'HTTP 404'), ...failures(20, 'HTTP 410')]
    expect(text({ failed }).match(/^ {2}line \d+: 2026, due 2026-01-01 00:00Z$/gm)).toHaveLength(50)
    expect(text({ failed })).toMatch(/^ {2}and 10 more \(use --json to list all\)$/m)
    expect(text({ failed })).toMatch(/^ +40 {2}HTTP 404\n +20 {2}HTTP 410$/m)
  })

  it('explains failures by the outage only if retries were used up', () => {
    const outage = { startsAt: START, endsAt: START + HOUR }
    expect(text({ failed: failures(1, 'HTTP 404') }, { outage })).not.toMatch(/The receiver was down for/)
    expect(text({ failed: failures(1, 'RETRIES_EXHAUSTED: 1 attempts') }, { outage })).toMatch(
      /^The receiver was down for 1 h\. With RETRY=none a first attempt without a response is final;/m,
    )
    const retryPolicy = { delaysMs: [1_000] }
    expect(text({ failed: failures(1, 'RETRIES_EXHAUSTED: 2 attempts') }, { outage, retryPolicy })).toMatch(
      /^The receiver was down for 1 h\. Events wait for it for a week after they are due;/m,
    )
  })
})
