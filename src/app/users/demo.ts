// Two dozen demo people in different timezones, one of them due within a minute. Their external ids have a prefix, by
// which they are found and deleted.
import { civilFromLocalMs, DAY_MS, formatCivilDate } from '../../domain/time/calendar.ts'
import type { NewPerson } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { deleteUser } from './bulk.ts'
import { createPeople, preparePerson } from './create.ts'

const PREFIX = 'terce-demo-'

const PEOPLE: readonly [firstName: string, lastName: string, timezone: string][] = [
  ['Ada', 'Lovelace', 'Europe/London'],
  ['Grace', 'Hopper', 'America/New_York'],
  ['Alan', 'Turing', 'Europe/London'],
  ['Katherine', 'Johnson', 'America/Chicago'],
  ['Edsger', 'Dijkstra', 'Europe/Amsterdam'],
  ['Hedy', 'Lamarr', 'Europe/Vienna'],
  ['Chien-Shiung', 'Wu', 'Asia/Shanghai'],
  ['Radia', 'Perlman', 'America/Los_Angeles'],
  ['Emmy', 'Noether', 'Europe/Berlin'],
  ['Srinivasa', 'Ramanujan', 'Asia/Kolkata'],
  ['Mary', 'Somerville', 'Europe/Rome'],
  ['Hypatia', 'of Alexandria', 'Africa/Cairo'],
  ['Maryam', 'Mirzakhani', 'Asia/Tehran'],
  ['Omar', 'Khayyam', 'Asia/Tashkent'],
  ['Sofia', 'Kovalevskaya', 'Europe/Stockholm'],
  ['Tu', 'Youyou', 'Asia/Singapore'],
  ['Shigeru', 'Nakayama', 'Asia/Tokyo'],
  ['Ruby', 'Payne-Scott', 'Australia/Sydney'],
  ['Beatrice', 'Tinsley', 'Pacific/Auckland'],
  ['Wangari', 'Maathai', 'Africa/Nairobi'],
  ['Cesar', 'Lattes', 'America/Sao_Paulo'],
  ['Luis', 'Miramontes', 'America/Mexico_City'],
  ['Ursula', 'Franklin', 'America/Vancouver'],
  ['Isabella', 'Abbott', 'Pacific/Honolulu'],
]

/** The first person is due this long after the demo was loaded. */
const DUE_IN_MS = 20_000

const externalIdOf = (index: number) => `${PREFIX}${String(index + 1).padStart(2, '0')}`

/** Creates the demo people who do not exist yet. Returns how many were created. */
export async function loadDemo(deps: AppDeps): Promise<number> {
  const people = PEOPLE.map((_, index) => demoPerson(deps, index))
  return createPeople(deps, people)
}

function demoPerson(deps: AppDeps, index: number): NewPerson {
  const [firstName, lastName, timezone] = PEOPLE[index]!
  const { planner, clock } = deps
  const dueAt = clock.now() + DUE_IN_MS
  const local = dueAt + planner.table.zone(timezone).offsetMsAt(dueAt)
  // Birthdays spread over the coming days, denser at first; the first person's is today.
  const day = civilFromLocalMs(local + Math.round((index * index) / 2) * DAY_MS)
  const dateOfBirth = formatCivilDate({ ...day, year: 1990, day: Math.min(day.day, 28) })
  const deliverAt = index === 0 ? new Date(local).toISOString().slice(11, 19) : deps.deliverAt
  const input = { firstName, lastName, timezone, dateOfBirth: index === 0 ? today(local) : dateOfBirth }
  const person = preparePerson({ ...deps, deliverAt }, { ...input, externalId: externalIdOf(index) })
  if (!person.ok) throw new Error(`The demo people are wrong: ${JSON.stringify(person.problems)}`)
  return person.value
}

/** Today's date in a leap year, which has every date. */
function today(local: number): string {
  return formatCivilDate({ ...civilFromLocalMs(local), year: 1992 })
}

/** Permanently deletes the demo people and their history. Returns how many were deleted. */
export async function wipeDemo(deps: AppDeps): Promise<number> {
  const found = await deps.store.findUsersByExternalId(PEOPLE.map((_, index) => externalIdOf(index)))
  let wiped = 0
  for (const { id } of found) if (await deleteUser(deps, id)) wiped += 1
  return wiped
}
