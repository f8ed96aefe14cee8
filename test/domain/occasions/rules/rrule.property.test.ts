// Random recurrence rules, compared with the oracle, which generates their days with the rrule package.
import { describe, expect, it } from 'vitest'
import { daysOf, parseRule } from '../../../../src/domain/occasions/rules/rrule.ts'
import {
  type CivilDate,
  civilFromLocalMs,
  DAY_MS,
  daysFromCivil,
  formatCivilDate,
} from '../../../../src/domain/time/calendar.ts'
import { seededDice } from '../../../support/fixtures.ts'
import { dateOf, daysOfRule } from '../../../support/oracle/days.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const dice = seededDice(5545)
const below = (limit: number) => Math.floor(dice() * limit)
const chance = (likely: number) => dice() < likely
const some = <T>(most: number, one: () => T) => Array.from({ length: 1 + below(most) }, one).join()

const dayNumber = ({ year, month, day }: CivilDate) => daysFromCivil(year, month, day)
const civil = (number: number) => civilFromLocalMs(number * DAY_MS)
const compact = (number: number) => formatCivilDate(civil(number)).replaceAll('-', '')

/** Years to compare: enough for rules with rare occurrences, few enough for the rrule package to be quick. */
const YEARS = { DAILY: 3, WEEKLY: 5, MONTHLY: 12, YEARLY: 60 }
type Frequency = keyof typeof YEARS

type Case = { parts: Record<string, string>; start: number; end: number }

function randomCase(): Case {
  const frequency = (Object.keys(YEARS) as Frequency[])[below(4)]!
  // For a rule without occurrences the rrule package searches up to the year 9999, so most cases start close to it.
  const year = (chance(0.98) ? 9_850 : 1_970) + below(80)
  const start = daysFromCivil(year, 1, 1) + below(366)
  const end = start + YEARS[frequency] * 365
  const parts: Record<string, string> = { FREQ: frequency }
  if (chance(0.5)) parts.INTERVAL = String(1 + below(chance(0.9) ? 6 : 40))
  if (chance(0.3)) parts.BYMONTH = some(4, () => 1 + below(12))
  if (chance(0.3) && frequency !== 'WEEKLY') {
    parts.BYMONTHDAY = some(4, () => (1 + below(31)) * (chance(0.3) ? -1 : 1))
  }
  if (chance(0.5)) parts.BYDAY = some(4, () => ordinal(frequency, parts) + WEEKDAYS[below(7)])
  if (chance(0.3)) parts.WKST = WEEKDAYS[below(7)]!
  const ending = dice()
  if (ending < 0.3) parts.COUNT = String(1 + below(60))
  else if (ending < 0.5) parts.UNTIL = compact(start + below(end - start))
  return { parts, start, end }
}

function ordinal(frequency: Frequency, parts: Record<string, string>): string {
  if (frequency === 'DAILY' || frequency === 'WEEKLY' || chance(0.4)) return ''
  const most = frequency === 'YEARLY' && parts.BYMONTH === undefined ? 53 : 5
  return String((1 + below(most)) * (chance(0.4) ? -1 : 1))
}

const written = (parts: Record<string, string>) =>
  Object.entries(parts)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')

const expectedDays = ({ parts, start, end }: Case) =>
  daysOfRule({ date: formatCivilDate(civil(start)), repeats: written(parts) }, end * DAY_MS).map(dateOf)

function ours(text: string, start: number, from: number, end: number): string[] {
  const parsed = parseRule(text)
  if (!parsed.ok) throw new Error(parsed.message)
  const found: string[] = []
  for (const day of daysOf(parsed.rule, civil(start), civil(from))) {
    if (dayNumber(day) > end) break
    found.push(formatCivilDate(day))
  }
  return found
}

describe('a random recurrence rule', () => {
  it('falls on the days that the oracle expects, from its start and from a later day on', () => {
    let happening = 0
    let never = 0
    for (let i = 0; i < 1_000; i++) {
      const one = randomCase()
      const { start, end } = one
      const text = written(one.parts)
      const parsed = parseRule(text)
      if (!parsed.ok) {
        expect(parsed.message, text).toMatch(/ has no occurrence: /)
        const { INTERVAL: _, UNTIL: __, ...parts } = one.parts
        expect(expectedDays({ parts, start, end: start + 28 * 366 }), text).toEqual([])
        never += 1
        continue
      }
      const expected = expectedDays(one)
      const from = start + below(end - start)
      const fromText = formatCivilDate(civil(from))
      const found = { all: ours(text, start, start, end), later: ours(parsed.text, start, from, end) }
      expect({ text, start: compact(start), fromText, ...found }).toEqual({
        text,
        start: compact(start),
        fromText,
        all: expected,
        later: expected.filter((day) => day >= fromText),
      })
      if (expected.length > 0) happening += 1
    }
    expect(happening).toBeGreaterThan(650)
    expect(never).toBeGreaterThan(2)
  })

  it('has equal days when the search begins decades after its start', () => {
    for (let i = 0; i < 400; i++) {
      const { parts, start } = randomCase()
      const { UNTIL: _, ...rest } = parts
      const text = written(rest.COUNT === undefined ? rest : { ...rest, COUNT: String(1 + below(20_000)) })
      if (!parseRule(text).ok) continue
      const from = start + below(50 * 365)
      const fromText = formatCivilDate(civil(from))
      const all = ours(text, start, start, from + 400)
      expect(ours(text, start, from, from + 400), text).toEqual(all.filter((day) => day >= fromText))
    }
  })
})
