// Prints the report of `terce rehearse`, as text or JSON. Contains no names: failures are listed by line number.
import type { RetryPolicy } from '../../domain/events/retry-policy.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { Span } from '../../rehearsal/range.ts'
import type { FailedEvent, Report } from '../../rehearsal/rehearse.ts'
import { brief } from './schedule-lines.ts'
import { grouped } from './words.ts'

export type Context = { range: Span; outage: Span | null; retryPolicy: RetryPolicy; tzVersion: string }

export function reportJson(report: Report, { range, outage, tzVersion }: Context): string {
  const { busiestMinute, failed, ...counts } = report
  return `${JSON.stringify({
    from: formatInstant(range.startsAt),
    before: formatInstant(range.endsAt),
    tzVersion,
    outage: outage && { from: formatInstant(outage.startsAt), before: formatInstant(outage.endsAt) },
    ...counts,
    busiestMinute: busiestMinute && { ...busiestMinute, at: formatInstant(busiestMinute.at) },
    failed: failed.map((event) => ({ ...event, dueAt: formatInstant(event.dueAt) })),
  })}\n`
}

export function reportText(report: Report, context: Context): string {
  const { range, outage, tzVersion } = context
  const lines = [
    `${grouped(report.people)} people, ${day(range.startsAt)} to ${day(range.endsAt - 1)}, timezones IANA ${tzVersion}`,
    outage === null ? 'no outage' : `receiver down from ${at(outage.startsAt)} to ${at(outage.endsAt)}`,
    '',
    count('events due', report.eventsDue),
    count('delivered', report.delivered),
    count('  on time', report.onTime, report.delivered > 0 ? '(within a minute)' : ''),
    count('  late', report.late, lateness(report)),
    count('failed', report.failed.length),
    ...(report.open > 0 ? [count('still retrying', report.open, '(at the end)')] : []),
    ...(report.unaccounted !== 0 ? [count('unaccounted for', report.unaccounted)] : []),
    '',
    count('attempts', report.attempts),
    count('retries', report.retries),
    count('ambiguous repeats', report.ambiguousRepeats, '(response lost: sent again with the same key)'),
    ...busiest(report),
    ...failures(report.failed, context),
  ]
  return `${lines.join('\n')}\n`
}

function count(name: string, number: number, remark = ''): string {
  return `${name.padEnd(18)}${grouped(number).padStart(9)}  ${remark}`.trimEnd()
}

function lateness({ late, medianLateMs, worstLateMs }: Report): string {
  if (medianLateMs === null || worstLateMs === null) return ''
  if (late === 1) return `(by ${length(worstLateMs)})`
  return `(median ${length(medianLateMs)}, worst ${length(worstLateMs)})`
}

function busiest({ busiestMinute }: Report): string[] {
  if (busiestMinute === null) return []
  return [
    count('busiest minute', busiestMinute.attempts, `(attempts in the minute from ${at(busiestMinute.at)})`),
  ]
}

/** --json lists all of them. */
const SHOWN = 50

function failures(failed: readonly FailedEvent[], context: Context): string[] {
  if (failed.length === 0) return []
  const reasons = new Map<string, number>()
  for (const { reason } of failed) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const rest = failed.length - SHOWN
  return [
    '',
    ...retriesExhausted(failed, context),
    'Failed, by reason:',
    ...[...reasons].map(([reason, number]) => `${grouped(number).padStart(9)}  ${reason}`),
    'Failed, by time:',
    ...failed
      .slice(0, SHOWN)
      .map(({ who, dueAt, occurrence }) => `  ${who}: ${occurrence}, due ${at(dueAt)}`),
    ...(rest > 0 ? [`  and ${grouped(rest)} more (use --json to list all)`] : []),
  ]
}

/** Explains failures that used up their retries during the outage. */
function retriesExhausted(failed: readonly FailedEvent[], { outage, retryPolicy }: Context): string[] {
  if (outage === null || !failed.some(({ reason }) => reason.startsWith('RETRIES_EXHAUSTED'))) return []
  const down = length(outage.endsAt - outage.startsAt)
  const why =
    retryPolicy.delaysMs.length === 0
      ? 'With RETRY=none a first attempt without a response is final; with retries, events wait for the receiver.'
      : 'Events wait for it for a week after they are due; after that their attempts use retries.'
  return [`The receiver was down for ${down}. ${why}`, '']
}

function at(instant: number): string {
  return brief(formatInstant(instant))
}

function day(instant: number): string {
  return formatInstant(instant).slice(0, 10)
}

/** `6 h`, `1 d 12 h`, `7 s`: the two largest units. */
function length(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const shown = parts.filter(([number]) => number > 0).slice(0, 2)
  return shown.length === 0 ? '0 s' : shown.map(([number, unit]) => `${number} ${unit}`).join(' ')
}
