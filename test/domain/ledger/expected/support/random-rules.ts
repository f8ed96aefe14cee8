// Random rules of occasions, many of them on days that some years do not have. Seeded: every run has equal rules.
import { yearsOf } from '../../../../../src/domain/calendars/calendar-years.ts'
import { CALENDARS } from '../../../../../src/domain/calendars/calendars.ts'
import { readDay, writeDay } from '../../../../../src/domain/ledger/expected/civil.ts'
import type { DayRule } from '../../../../../src/domain/ledger/expected/days.ts'
import { parseRule } from '../../../../../src/domain/occasions/rrule.ts'
import { seededDice } from '../../../../support/fixtures.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']

export type Random = ReturnType<typeof randomOf>

export function randomOf(seed: number) {
  const dice = seededDice(seed)
  const below = (limit: number) => Math.floor(dice() * limit)
  return {
    below,
    chance: (likely: number) => dice() < likely,
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    some: <T>(most: number, one: () => T) => Array.from({ length: 1 + below(most) }, one).join(),
    /** A day from one date to another. */
    day: (from: string, to: string) => readDay(from) + below(readDay(to) - readDay(from) + 1),
  }
}

export function randomRule(random: Random): DayRule {
  const { chance, below, pick, day } = random
  const leapDay = pick(['MARCH_1', 'FEBRUARY_28'] as const)
  const common = { leapDay, ruleRevision: chance(0.7) ? 1 : 2 + below(12) }
  if (chance(0.4)) return { ...common, repeats: 'YEARLY', ...randomAnniversary(random) }
  const date = writeDay(day('1995-01-01', '2030-12-31'))
  const repeats = chance(0.05) ? 'ONCE' : randomRepeats(random)
  return { ...common, repeats, calendar: 'gregorian', date }
}

function randomAnniversary({ chance, below, pick, day }: Random): Pick<DayRule, 'calendar' | 'date'> {
  const calendar = pick(CALENDARS)
  if (calendar === 'gregorian') {
    const leap = `${1904 + 4 * below(30)}-02-29`
    return { calendar, date: chance(0.3) ? leap : writeDay(day('1905-01-01', '2026-12-31')) }
  }
  const year = pick(yearsOf(calendar).slice(0, 126))
  const last = below(year.months.length)
  const months = year.months.slice(0, last + 1)
  const end = months.reduce((sum, { length }) => sum + length, year.start)
  const { name, length } = months.at(-1)!
  // The last day of a month, or any day of a month that some years do not have.
  const rare = /L|Adar/.test(name) ? end - 1 - below(length) : end - 1
  return { calendar, date: writeDay(chance(0.5) ? rare : year.start + below(year.length)) }
}

/** A recurrence rule in canonical spelling, on days that exist. */
export function randomRepeats(random: Random): string {
  for (;;) {
    const parsed = parseRule(randomParts(random).join(';'))
    if (parsed.ok) return parsed.text
  }
}

function randomParts({ chance, below, pick, some, day }: Random): string[] {
  const frequency = pick(FREQUENCIES)
  const hasMonths = chance(0.3)
  const parts = [`FREQ=${frequency}`]
  const signed = (most: number) => (1 + below(most)) * (chance(0.4) ? -1 : 1)
  if (chance(0.5)) parts.push(`INTERVAL=${1 + below(chance(0.9) ? 5 : 40)}`)
  if (hasMonths) parts.push(`BYMONTH=${some(4, () => 1 + below(12))}`)
  if (chance(0.3) && frequency !== 'WEEKLY') parts.push(`BYMONTHDAY=${some(4, () => signed(31))}`)
  if (chance(0.5)) {
    const most = frequency === 'YEARLY' && !hasMonths ? 53 : 5
    // The rrule package reads BYDAY=MO,1TU as days that match both, the RFC as days that match either: no rule has both kinds.
    const hasOrdinals = (frequency === 'MONTHLY' || frequency === 'YEARLY') && chance(0.6)
    parts.push(`BYDAY=${some(4, () => `${hasOrdinals ? signed(most) : ''}${pick(WEEKDAYS)}`)}`)
  }
  if (chance(0.4)) parts.push(`WKST=${pick(WEEKDAYS)}`)
  const ending = pick(['COUNT', 'UNTIL', 'none', 'none'])
  if (ending === 'COUNT') parts.push(`COUNT=${1 + below(chance(0.8) ? 60 : 2_000)}`)
  if (ending === 'UNTIL') parts.push(`UNTIL=${writeDay(day('2005-01-01', '2045-12-31')).replaceAll('-', '')}`)
  return parts
}
