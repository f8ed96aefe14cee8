// How the days and lines of the ledger are written.
import type { components } from '../../client/client.ts'
import { ON_TIME_MS, SHOWN_COUNTS } from '../../domain/ledger/line.ts'
import { type Paint, plain } from '../output/colour.ts'
import { brief } from '../output/schedule-lines.ts'
import { countPeople, grouped, shortDuration } from '../output/words.ts'

export type LedgerDayJson = components['schemas']['LedgerDay']
type Schema = components['schemas']['LedgerLine']
type Evidence = Pick<NonNullable<Schema['evidence']>, 'number' | 'at' | 'text'>
export type LedgerLineJson = Omit<Schema, 'evidence'> & { evidence: Evidence | null }
/** A table with one line for each day. */
export function daysTable(days: readonly LedgerDayJson[], paint: Paint = plain): string[] {
  const rows = days.map((day) => SHOWN_COUNTS.map((name) => (day[name] === 0 ? '.' : grouped(day[name]))))
  const widths = SHOWN_COUNTS.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)))
  const inLine = (cells: readonly string[]) => cells.map((cell, i) => cell.padStart(widths[i]!)).join('  ')
  return [
    `day         ${inLine(SHOWN_COUNTS)}  hash`,
    ...days.map((day, i) => {
      const line = `${day.day}  ${inLine(rows[i]!)}  ${day.hash?.slice(0, 12) ?? 'being closed'}`
      return isSound(day) ? line : paint('red', line)
    }),
  ]
}

export function isSound({ unexplained, surplus }: Pick<LedgerDayJson, 'unexplained' | 'surplus'>): boolean {
  return unexplained === 0 && surplus === 0
}

/** `2026-11-16: 1 unexplained, 2 surplus.` */
export function faultOf({
  day,
  unexplained,
  surplus,
}: Pick<LedgerDayJson, 'day' | 'unexplained' | 'surplus'>): string {
  const faults = [
    [unexplained, 'unexplained'],
    [surplus, 'surplus'],
  ] as const
  const named = faults.flatMap(([count, name]) => (count === 0 ? [] : [`${grouped(count)} ${name}`]))
  return `${day}: ${named.join(', ')}.`
}

export function totalLines(day: LedgerDayJson): string[] {
  const counts = SHOWN_COUNTS.slice(1).map((name) => `${grouped(day[name])} ${name}`)
  const carried = day.carried === 0 ? '' : ` ${grouped(day.carried)} of them carried from earlier days.`
  return [
    `${day.day}: ${grouped(day.owed)} owed, ${countPeople(day.people)} accounted for.`,
    `${counts.join(', ')}.${carried}`,
  ]
}

/** Null for a day that is not closed. */
export function closedLines({ closedAt, prunedAt, hash, tzVersion }: LedgerDayJson): string[] | null {
  if (closedAt === null) return null
  return [
    `closed  ${brief(closedAt)}, IANA ${tzVersion}`,
    `hash    ${hash}`,
    ...(prunedAt === null ? [] : [`Its lines were pruned ${brief(prunedAt)}.`]),
  ]
}

const INDENT = ' '.repeat('unexplained'.length + 2)

/** A line of the account with its reason and its evidence. */
export function accountLines(line: LedgerLineJson): string[] {
  const { column, reason, reasonText, evidence, because, carriedFrom } = line
  return [
    `${column.padEnd(INDENT.length)}${subjectOf(line)}`,
    `${INDENT}${reason === null ? '' : `${reason}: `}${reasonText}`,
    ...(carriedFrom === null ? [] : [`${INDENT}Open since the account of ${carriedFrom}.`]),
    ...(because === null ? [] : [`${INDENT}Because of event ${because}.`]),
    ...(evidence === null ? [] : [`${INDENT}${evidenceText(evidence)}`]),
  ]
}

/** `person crm-17, BIRTHDAY, event 019b…, occurrence 2026, due 2026-11-16 08:00Z (09:00 local), settled 2026-11-16 08:00:01Z, attempt 1` */
function subjectOf(line: LedgerLineJson): string {
  const { userId, externalId, occasionType, occasionId, eventId, occurrence } = line
  const { dueAt, localTime, expectedAt, settledAt, attempt, lateSeconds } = line
  const late =
    lateSeconds !== null && lateSeconds * 1000 > ON_TIME_MS
      ? `, ${shortDuration(lateSeconds * 1000)} late`
      : ''
  const local = localTime === null ? '' : ` (${localTime.slice(11)} local)`
  const parts = [
    ...(userId === null ? [] : [`person ${externalId ?? userId}`]),
    ...(occasionType === null ? [] : [occasionType]),
    eventId !== null ? `event ${eventId}` : occasionId !== null ? `occasion ${occasionId}` : 'erased',
    ...(occurrence === null ? [] : [`occurrence ${occurrence}`]),
    ...(dueAt === null ? [] : [`due ${brief(dueAt)}${local}`]),
    ...(expectedAt === null ? [] : [`expected ${brief(expectedAt)}`]),
    ...(settledAt === null ? [] : [`settled ${brief(settledAt)}${late}`]),
    ...(attempt === null ? [] : [`attempt ${attempt}`]),
  ]
  return parts.join(', ')
}

/** `Journal entry 12, 2026-11-15 08:00Z: The person was deleted.` The state before the change may be personal: see --json. */
function evidenceText({ number, at, text }: Evidence): string {
  return `Journal entry ${number}, ${brief(at)}: ${text}`
}
