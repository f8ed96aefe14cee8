// Chooses other occasions than birthdays and their changes, mostly around their due times.
import { parseShift } from '../../../src/domain/occasions/send-day.ts'
import { DAY, HOUR } from '../../support/fixtures.ts'
import { OTHER_CALENDARS } from '../../support/oracle/calendar-days.ts'
import { NEWEST, type Settings } from '../../support/oracle/clock.ts'
import { dateOf } from '../../support/oracle/days.ts'
import { nextOwed } from '../../support/oracle/schedule.ts'
import type { BirthdayPlan, ChannelPlan, Edit, OccasionPlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import { nearDue } from './near-due.ts'

/** Some within minutes of 09:00, some around midnight, some where clocks jump. */
const TIMES = ['09:00', '09:00', '09:01', '08:59', '00:00', '23:59', '02:30', '01:00', '18:15']
/** Some fall on no day of some months. Daily rules end, because each occurrence takes time to simulate. */
const RULES = [
  'FREQ=DAILY;COUNT=3',
  'FREQ=DAILY;INTERVAL=2;COUNT=4',
  'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=5',
  'FREQ=WEEKLY;INTERVAL=2;COUNT=4',
  'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5',
  'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4',
  'FREQ=MONTHLY;BYDAY=-1FR;COUNT=4',
  'FREQ=YEARLY;BYMONTH=2,9;BYMONTHDAY=-1',
]
const BIRTHDAY_RULES = ['FREQ=YEARLY;INTERVAL=2', 'FREQ=YEARLY;INTERVAL=3', 'FREQ=YEARLY;BYDAY=1SU;BYMONTH=6']
const ENDING_RULES = ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=TU,SA', 'FREQ=MONTHLY;BYMONTHDAY=1,-1']

/** When messages are sent: mostly on their date, sometimes days before or after it, or not on weekends. */
const SENDS: Pick<OccasionPlan, 'shift' | 'onWeekend'>[] = [
  {},
  {},
  {},
  { shift: '-P3D' },
  { shift: 'P2D', onWeekend: 'AFTER' },
  { onWeekend: 'BEFORE' },
  { shift: '-P2W', onWeekend: 'SKIP' },
]

type PersonPlan = {
  person: number
  settings: Settings
  channels: readonly ChannelPlan[]
  /** Collects every due time. */
  dueTimes: number[]
  from: number
  faultsEndAt: number
}

export function chooseOccasions(dice: Dice, life: PersonPlan): Edit[] {
  const roll = dice.roll()
  const many = roll < 0.1 ? 2 : roll < 0.4 ? 1 : 0
  const own = Array.from({ length: many }, (_, occasion) => chooseOccasion(dice, life, occasion)).flat()
  if (dice.chance(0.8)) return own
  const at = dice.pick([life.from, ...life.dueTimes])
  return [...own, ...chooseEdits(dice, life, { person: life.person, occasion: null }, [nearDue(dice, at)])]
}

function chooseOccasion(dice: Dice, life: PersonPlan, occasion: number): Edit[] {
  const { person, dueTimes, from, faultsEndAt, settings } = life
  const at = from + dice.between(1, Math.floor((faultsEndAt - from) / DAY)) * DAY
  const plan = choosePlan(dice, life, at)
  const { timezone } = settings
  const schedule = {
    calendar: 'gregorian',
    ...plan,
    shiftDays: parseShift(plan.shift ?? ''),
    timezone,
    release: NEWEST,
    ruleRevision: 1,
    paused: false,
  }
  const due: number[] = []
  for (let now = at; due.length < 5; ) {
    const next = nextOwed(schedule, { now, settled: null })
    if (next === null) break
    due.push(next.at)
    now = next.at + 1
  }
  dueTimes.push(...due.filter((one) => one < faultsEndAt).slice(0, 3))
  const createdAt = due.length > 0 && dice.chance(0.4) ? Math.max(from, nearDue(dice, due[0]!)) : at
  const who = { person, occasion }
  const added: Edit = { at: createdAt, ...who, kind: 'add occasion', plan }
  return [added, ...chooseEdits(dice, life, who, due)].filter((edit) => edit.at >= createdAt)
}

function choosePlan(dice: Dice, life: PersonPlan, at: number): OccasionPlan {
  const roll = dice.roll()
  const yearly = roll < 0.25
  const repeats = yearly ? 'YEARLY' : roll < 0.5 ? 'ONCE' : chooseRule(dice, at)
  const soon = dateOf(at + dice.between(-1, 20) * DAY)
  // Some begin this year or next: the day itself is no anniversary.
  const ago = dice.between(-400, dice.chance(0.3) ? 100 : 9_000) * DAY
  const longAgo = dice.chance(0.3) ? '2004-02-29' : dateOf(at - ago)
  const type = yearly ? 'WORK_ANNIVERSARY' : dice.pick(['STANDUP', 'PARTY'])
  return {
    type,
    date: yearly ? longAgo : soon,
    localTime: dice.pick(TIMES),
    repeats,
    ...(yearly && dice.chance(0.3) ? { calendar: dice.pick(OTHER_CALENDARS) } : {}),
    leapDay: dice.pick(['MARCH_1', 'FEBRUARY_28'] as const),
    ...SENDS[(Math.floor(at / DAY) + life.person) % SENDS.length],
    until: dice.chance(0.2) ? dateOf(at + dice.between(0, 600) * DAY) : null,
    // A kind without a built-in text cannot be rendered without a template.
    template: dice.chance(yearly ? 0.5 : 0.9)
      ? { mark: 100 * (life.person + 1) + dice.between(1, 99), fragile: false }
      : null,
    channel: dice.chance(0.5) ? dice.between(0, life.channels.length - 1) : null,
    notAfter: dice.chance(0.1) ? dice.pick(['09:10', '21:00']) : null,
  }
}

function chooseRule(dice: Dice, at: number): string {
  if (dice.chance(0.7)) return dice.pick(RULES)
  const last = dateOf(at + dice.between(10, 30) * DAY).replaceAll('-', '')
  return `${dice.pick(ENDING_RULES)};UNTIL=${last}`
}

type Whose = { person: number; occasion: number | null }

/** Some changes of an occasion. */
function chooseEdits(dice: Dice, life: PersonPlan, who: Whose, due: readonly number[]): Edit[] {
  if (due.length === 0) return []
  const soon = () => nearDue(dice, dice.pick(due))
  const edits: Edit[] = []
  for (let changes = dice.pick([0, 0, 1, 1, 2]); changes > 0; changes--)
    edits.push({ at: soon(), ...who, kind: 'change occasion', change: chooseChange(dice, life, who, soon()) })
  if (dice.chance(0.3)) {
    const at = soon()
    edits.push({ at, ...who, kind: 'pause occasion' })
    const resumedAt = dice.chance(0.5) ? soon() : at + dice.between(1, 60) * DAY
    if (dice.chance(0.8)) edits.push({ at: Math.max(at + 1, resumedAt), ...who, kind: 'resume occasion' })
  }
  const { person, occasion } = who
  if (occasion !== null && dice.chance(0.15))
    edits.push({ at: soon(), person, occasion, kind: 'remove occasion' })
  return edits
}

function chooseChange(
  dice: Dice,
  { channels }: PersonPlan,
  { occasion }: Whose,
  at: number,
): Partial<OccasionPlan> {
  const roll = dice.roll()
  if (roll < 0.3) return { localTime: dice.pick(TIMES) }
  if (roll < 0.35) return { leapDay: dice.pick(['MARCH_1', 'FEBRUARY_28'] as const) }
  if (roll < 0.4) return { shift: null, onWeekend: null, ...SENDS[Math.floor(at / DAY) % SENDS.length] }
  if (roll < 0.5) return whereTo(dice, channels)
  if (occasion === null) return chooseBirthdayChange(dice, at)
  if (roll < 0.6) return { until: dice.chance(0.7) ? dateOf(at + dice.between(-2, 40) * DAY) : null }
  if (roll < 0.8) return { date: dateOf(at + dice.between(-1, 3) * DAY) }
  const repeats = dice.chance(0.3) ? dice.pick(['ONCE', 'YEARLY']) : chooseRule(dice, at)
  // Later on the day of a message that was sent already.
  const later = roll < 0.9 ? {} : { localTime: TIMES.at(-1)!, notAfter: null }
  return { repeats, calendar: 'gregorian', ...later }
}

function chooseBirthdayChange(dice: Dice, at: number): Partial<OccasionPlan> {
  return dice.chance(0.3) ? { localTime: dice.pick(TIMES), notAfter: null } : chooseBirthdayRule(dice, at)
}

/** A birthday by another calendar, by a rule, or with a last date. */
function chooseBirthdayRule(dice: Dice, at: number): Partial<OccasionPlan> {
  const roll = dice.roll()
  if (roll < 0.4)
    return { repeats: 'YEARLY', calendar: dice.pick(['gregorian', ...OTHER_CALENDARS] as const) }
  if (roll < 0.7) return { repeats: dice.pick(BIRTHDAY_RULES), calendar: 'gregorian' }
  return { until: dateOf(at + dice.between(50, 500) * DAY) }
}

/** Some birthdays follow another rule than most, and many of these are corrected. */
export function chooseOtherBirthday(dice: Dice, life: PersonPlan): Edit[] {
  const { person, settings, dueTimes, from, faultsEndAt } = life
  if (!dice.chance(0.2)) return []
  const change = chooseBirthdayRule(dice, from)
  const at = from + dice.between(1, 48) * HOUR
  const edits: Edit[] = [{ at, person, occasion: null, kind: 'change occasion', change }]
  const { timezone, dateOfBirth: date } = settings
  const rule = { date, repeats: 'YEARLY', calendar: 'gregorian', leapDay: 'MARCH_1', until: null, ...change }
  const schedule = { ...rule, localTime: '09:00', timezone, release: NEWEST, ruleRevision: 1, paused: false }
  const next = nextOwed(schedule, { now: at, settled: null })
  if (next === null || next.at >= faultsEndAt) return edits
  for (let due: typeof next | null = next; due !== null && due.at < faultsEndAt; ) {
    dueTimes.push(due.at)
    due = nextOwed(schedule, { now: due.at + 1, settled: null })
  }
  if (dice.chance(0.7)) {
    const corrected =
      change.until === undefined && dice.chance(0.6)
        ? inOtherYear(dice, settings)
        : dateOf(dice.between(-5_000, 18_000) * DAY)
    const correctedAt = dice.chance(0.5) ? nearDue(dice, next.at) : at + dice.between(1, 300) * DAY
    const input = { dateOfBirth: corrected }
    edits.push({ at: Math.max(at + 1, correctedAt), person, kind: 'change', input })
  }
  return edits
}

/** The date in another year, one that has every date, or without a year. */
export function inOtherYear(dice: Dice, { dateOfBirth }: Settings): string {
  const fours = dice.between(0, 20)
  return `${fours === 20 ? '-' : 1940 + 4 * fours}-${dateOfBirth.slice(-5)}`
}

function whereTo(dice: Dice, channels: readonly ChannelPlan[]): Partial<BirthdayPlan> {
  return { channel: dice.chance(0.5) ? dice.between(0, channels.length - 1) : null }
}
