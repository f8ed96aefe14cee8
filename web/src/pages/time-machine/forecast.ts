// Calculates upcoming messages in the browser, with the code that schedules them on the server.
import { type Explanation, explainOccurrence } from '../../../../src/domain/occasions/explain.ts'
import {
  type LeapDay,
  nextYearly,
  type YearlyRule,
} from '../../../../src/domain/occasions/next-occurrence.ts'
import { parseTimezone } from '../../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import type { CsvPerson } from './csv.ts'

export type Rule = { date: string; timezone: string; localTime: string; leapDay: LeapDay }

/** The last year of the preview. */
export const LAST_YEAR = 2049

export const TZ_VERSION = tzdb.version

/** Null while the input is incomplete or invalid. */
export function ruleFrom(typed: {
  date: string
  timezone: string
  localTime: string
  leapDay: string
}): Rule | null {
  const timezone = parseTimezone(typed.timezone.trim())
  const leapDay = typed.leapDay === 'FEBRUARY_28' ? 'FEBRUARY_28' : 'MARCH_1'
  if (timezone === null) return null
  const rule = { date: typed.date, timezone, localTime: typed.localTime || '09:00', leapDay } as const
  try {
    explainOccurrence(rule, 2026)
    return rule
  } catch {
    return null
  }
}

/** Every occurrence from now to LAST_YEAR. */
export function yearsAhead(rule: Rule, now: number): Explanation[] {
  const { year } = nextYearly(rule, { notBefore: now, afterYear: yearOf(rule) })
  return Array.from({ length: Math.max(1, LAST_YEAR - year + 1) }, (_, i) =>
    explainOccurrence(rule, year + i),
  )
}

/** The first anniversary is in the year after the date. */
function yearOf({ date }: YearlyRule): number {
  return Number(date.slice(0, 4))
}

type NextMessage = { person: CsvPerson; at: Explanation }

/** The next message of each person from an instant on, soonest first; optionally only those with exceptions. */
export function nextMessages(
  people: readonly CsvPerson[],
  ruleOf: (person: CsvPerson) => YearlyRule,
  from: number,
  { onlyExceptions, limit }: { onlyExceptions: boolean; limit: number },
): NextMessage[] {
  const coming = people
    .map((person) => {
      const rule = ruleOf(person)
      return { person, ...nextYearly(rule, { notBefore: from, afterYear: yearOf(rule) }) }
    })
    .sort((a, b) => a.instant - b.instant)
  const found: NextMessage[] = []
  for (const { person, year } of coming) {
    const at = explainOccurrence(ruleOf(person), year)
    if (onlyExceptions && at.notes.length === 0) continue
    found.push({ person, at })
    if (found.length === limit) break
  }
  return found
}
