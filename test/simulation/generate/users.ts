// Chooses people and their edits: created, moved, renamed, deleted, mostly around the time their message is due.
import type { UserInput } from '../../../src/domain/users/user.ts'
import { DAY, SECOND } from '../../support/fixtures.ts'
import { dueIn } from '../../support/oracle/birthdays.ts'
import { NO_PLACES, type Settings, ZONE_NAMES } from '../../support/oracle/clock.ts'
import type { BirthdayPlan, ChannelPlan, Edit, Scenario } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import { nearDue } from './near-due.ts'
import { chooseOccasions, chooseOtherBirthday, inOtherYear } from './occasions.ts'
import { chooseTasks } from './tasks.ts'

const NEAR_DATE_LINE = [
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Pacific/Chatham',
  'Pacific/Fakaofo',
  'Pacific/Niue',
  'Pacific/Tongatapu',
]
const ODD_DAYS = ['1996-02-29', '2000-02-29', '1988-12-31', '1977-01-01', '1990-03-01']
const ODD_CHANGES = [...ODD_DAYS, '--02-29', null]
const ODD_NAMES = ['the Second', 'O’Hara', '{{ firstName }}', '张', 'long'.repeat(20)]
/** Languages of people. Some have stored templates. */
const LANGUAGES = [null, null, 'de', 'pt', 'pt-BR']
/** Some before 09:00, which means the next day, and some within minutes of it. */
const LAST_HOURS = ['09:00', '09:01', '09:10', '10:00', '21:00', '08:59', '00:00']

/** Chooses the timezone of a person. */
export type Place = (dice: Dice) => string

type PersonPlan = {
  person: number
  place: Place
  sharedSettings: Settings[]
  channels: ChannelPlan[]
  /** Collects every due time of the person. */
  dueTimes: number[]
  from: number
  faultsEndAt: number
}

/** All edits of one person. */
export function choosePerson(
  dice: Dice,
  { person, place, sharedSettings, channels, dueTimes, from, faultsEndAt }: PersonPlan,
): Edit[] {
  let settings = dice.chance(0.6) ? dice.pick(sharedSettings) : chooseSettings(dice, place)
  const startYear = new Date(from).getUTCFullYear()
  const endYear = new Date(faultsEndAt).getUTCFullYear()
  const someDueTime = (after: number) => {
    const dueAt = dueIn(dice.between(startYear, endYear), settings)
    return dueAt > after ? dueAt : dueIn(endYear, settings)
  }
  const createdAt = dice.chance(0.3)
    ? Math.max(from, nearDue(dice, dueIn(startYear, settings)))
    : from + dice.between(0, 90) * DAY
  const input: UserInput = {
    firstName: `First${person}`,
    lastName: dice.chance(0.1) ? oddName(dice, person) : `Last${person}`,
    ...settings,
    email: chooseEmail(dice, person),
    language: dice.pick(LANGUAGES),
  }
  const birthday = chooseBirthday(dice, channels)
  const born = { person, settings, channels, dueTimes, from: createdAt, faultsEndAt }
  const otherBirthday = chooseOtherBirthday(dice, born)
  for (let year = startYear; year <= endYear && otherBirthday.length === 0; year++) {
    const dueAt = dueIn(year, settings)
    if (dueAt > from && dueAt < faultsEndAt) dueTimes.push(dueAt)
  }
  const edits: Edit[] = [
    { at: createdAt, person, kind: 'create', input, birthday, sendTodayNow: dice.chance(0.3) },
  ]
  for (let changes = dice.between(0, 3); changes > 0; changes--) {
    const at = nearDue(dice, someDueTime(createdAt))
    if (at <= createdAt) continue
    if (dice.chance(0.2)) {
      edits.push({ at, person, kind: 'redirect', birthday: chooseBirthday(dice, channels) })
      continue
    }
    const change = chooseChange(dice, { sharedSettings, place, person, settings })
    // Later edits of a person without a date are around the times of the last one.
    settings = { ...settings, ...change, dateOfBirth: change.dateOfBirth ?? settings.dateOfBirth }
    edits.push({ at, person, kind: 'change', input: change })
  }
  const others = chooseOccasions(dice, { ...born, settings })
  const tasks = chooseTasks(dice, { person, dueTimes, from: createdAt, faultsEndAt })
  if (dice.chance(0.2)) edits.push({ at: nearDue(dice, someDueTime(createdAt)), person, kind: 'delete' })
  return [...edits, ...otherBirthday, ...others, ...tasks]
}

/** Requests that are rejected: copies of others, a second before them, with an abbreviation as the timezone. */
export function chooseRejected(dice: Dice, { edits, from }: Pick<Scenario, 'edits' | 'from'>): Edit[] {
  if (dice.chance(0.8)) return []
  return edits
    .filter(({ at }) => at > from + SECOND && dice.chance(0.5))
    .flatMap((edit): Edit[] => {
      const at = edit.at - SECOND
      const timezone = dice.pick(NO_PLACES)
      if (edit.kind === 'create') return [{ ...edit, at, input: { ...edit.input, timezone } }]
      return edit.kind === 'change' ? [{ ...edit, at, input: { timezone } }] : []
    })
}

export function chooseBirthday(dice: Dice, channels: readonly ChannelPlan[]): BirthdayPlan {
  return {
    channel: dice.chance(0.6) ? dice.between(0, channels.length - 1) : null,
    notAfter: dice.chance(0.3) ? dice.pick(LAST_HOURS) : null,
  }
}

export function chooseSettings(dice: Dice, place: Place): Settings {
  const dateOfBirth = dice.chance(0.3) ? dice.pick(ODD_DAYS) : someDate(dice)
  return { dateOfBirth, timezone: place(dice) }
}

function someDate(dice: Dice): string {
  return new Date(Date.UTC(dice.between(1940, 2020), 0, dice.between(1, 365))).toISOString().slice(0, 10)
}

/** Any timezone, often one beside the date line. */
export function chooseAnyPlace(dice: Dice): string {
  return dice.chance(0.3) ? dice.pick(NEAR_DATE_LINE) : dice.pick(ZONE_NAMES)
}

function chooseEmail(dice: Dice, person: number): string | null {
  return dice.chance(0.75) ? `person${person}.${dice.between(1, 9)}@example.com` : null
}

function oddName(dice: Dice, person: number): string {
  return `Last${person} ${dice.pick(ODD_NAMES)}`
}

type ChangePlan = Pick<PersonPlan, 'sharedSettings' | 'place' | 'person'> & { settings: Settings }

function chooseChange(
  dice: Dice,
  { sharedSettings, place, person, settings }: ChangePlan,
): Partial<UserInput> {
  const roll = dice.roll()
  if (roll < 0.05) return { dateOfBirth: null }
  if (roll < 0.45) return { timezone: place(dice) }
  if (roll < 0.55) return dice.pick(sharedSettings)
  if (roll < 0.62) return { dateOfBirth: inOtherYear(dice, settings) }
  if (roll < 0.72) return { dateOfBirth: dice.chance(0.3) ? dice.pick(ODD_CHANGES) : someDate(dice) }
  if (roll < 0.82) return { lastName: oddName(dice, person) }
  if (roll < 0.94) return { email: chooseEmail(dice, person) }
  return { language: dice.pick(LANGUAGES) }
}
