// Compares the tables of the application with Terce's after a run of kills: what was written in one transaction is in both or
// in neither, every person has the events that they are owed, and every completed event has one effect.
import { dueIn, nextYear } from '../../support/oracle/birthdays.ts'

export type AccountRow = {
  external_id: string
  user_id: string | null
  last_name: string
  date_of_birth: string
  timezone: string
}
export type UserRow = {
  id: string
  external_id: string | null
  last_name: string
  date_of_birth: string
  timezone: string
  version: number
  created_at: number
}
export type EventRow = {
  id: string
  occasion_id: string
  occurrence: string
  status: string
  target_at: number
}

/** All rows of a database after a run. Instants are epoch milliseconds. */
export type Tables = {
  accounts: AccountRow[]
  todos: { task_id: string; external_id: string }[]
  effects: { event_id: string }[]
  users: UserRow[]
  occasions: { id: string; user_id: string; type: string }[]
  tasks: { id: string; due_at: number; remind_before_ms: number }[]
  events: EventRow[]
  /** How many events are due and not settled. */
  due: number
}

export type Difference = { rule: string; detail: string }

const LOCAL_TIME = '00:00'

/** Every difference, at most a few of each rule. */
export function compare(tables: Tables): Difference[] {
  return RULES.flatMap(([rule, check]) =>
    [...check(tables)].slice(0, 5).map((detail): Difference => ({ rule, detail })),
  )
}

function* peopleAgree({ accounts, users }: Tables): Generator<string> {
  const byExternalId = new Map(users.map((user) => [user.external_id, user]))
  const known = new Set(accounts.map(({ external_id }) => external_id))
  for (const account of accounts) {
    const user = byExternalId.get(account.external_id)
    if (user === undefined) yield `Account ${account.external_id} has no person.`
    else if (describe(user) !== describe(account) || user.id !== account.user_id)
      yield `Account ${account.external_id} is ${describe(account)}, the person ${describe(user)}.`
  }
  for (const { id, external_id } of users)
    if (!known.has(external_id!)) yield `Person ${id} has no account ${external_id}.`
}

function describe({ last_name, date_of_birth, timezone }: AccountRow | UserRow): string {
  return `${last_name}, ${date_of_birth}, ${timezone}`
}

function* tasksAgree({ todos, tasks }: Tables): Generator<string> {
  const [own, stored] = [new Set(todos.map((row) => row.task_id)), new Set(tasks.map(({ id }) => id))]
  for (const id of own) if (!stored.has(id)) yield `Todo ${id} has no task.`
  for (const id of stored) if (!own.has(id)) yield `Task ${id} has no todo.`
}

function* birthdaysAreOwed({ users, occasions, events }: Tables): Generator<string> {
  const ofOccasion = Map.groupBy(events, ({ occasion_id }) => occasion_id)
  const ofUser = Map.groupBy(
    occasions.filter(({ type }) => type === 'BIRTHDAY'),
    ({ user_id }) => user_id,
  )
  for (const user of users) {
    const birthdays = ofUser.get(user.id) ?? []
    if (birthdays.length !== 1) yield `Person ${user.id} has ${birthdays.length} birthdays.`
    for (const { id } of birthdays) yield* checkBirthday(user, ofOccasion.get(id) ?? [])
  }
}

function* checkBirthday(user: UserRow, events: readonly EventRow[]): Generator<string> {
  const settings = { dateOfBirth: user.date_of_birth, timezone: user.timezone }
  const open = events.filter(({ status }) => !isSettled(status))
  const years = events.filter(({ status }) => isSettled(status)).map(({ occurrence }) => Number(occurrence))
  if (open.length !== 1) yield `Person ${user.id} has ${open.length} open birthday events.`
  if (new Set(years).size < years.length) yield `A birthday of ${user.id} was settled twice.`
  for (const { occurrence, target_at } of open) {
    const at = dueIn(Number(occurrence), settings, LOCAL_TIME)
    if (at !== target_at) yield `The birthday of ${user.id} is due ${iso(target_at)}, not ${iso(at)}.`
    const first = firstYear(user, settings)
    // A person who was moved to a place where the day has passed keeps the year that was planned.
    const owed = years.length > 0 ? [Math.max(...years) + 1] : user.version > 1 ? [first, first + 1] : [first]
    if (!owed.includes(Number(occurrence)))
      yield `The next birthday of ${user.id} is ${occurrence}, not ${owed.join(' or ')}.`
  }
}

/** People are created with `sendTodayNow`: the first birthday is today if it is today. */
function firstYear(user: UserRow, settings: { dateOfBirth: string; timezone: string }): number {
  return nextYear(settings, LOCAL_TIME, { now: user.created_at - DAY_MS, after: null })
}

const DAY_MS = 86_400_000

function* remindersAreOwed({ tasks, events }: Tables): Generator<string> {
  const ofOccasion = Map.groupBy(events, ({ occasion_id }) => occasion_id)
  for (const { id, due_at, remind_before_ms } of tasks) {
    const reminders = ofOccasion.get(id) ?? []
    if (reminders.length !== 1) yield `Task ${id} has ${reminders.length} reminders.`
    for (const { target_at } of reminders)
      if (target_at < due_at - remind_before_ms || target_at >= due_at)
        yield `The reminder of task ${id} is due ${iso(target_at)}.`
  }
}

function* effectsAgree({ effects, events }: Tables): Generator<string> {
  const counts = new Map<string, number>()
  for (const { event_id } of effects) counts.set(event_id, (counts.get(event_id) ?? 0) + 1)
  for (const { id, status } of events) {
    const [found, owed] = [counts.get(id) ?? 0, status === 'COMPLETED' ? 1 : 0]
    if (found !== owed) yield `Event ${id} is ${status} and has ${found} effects.`
    counts.delete(id)
  }
  for (const id of counts.keys()) yield `An effect belongs to event ${id}, which does not exist.`
}

function* nothingIsLeft({ due, occasions, users, events }: Tables): Generator<string> {
  if (due > 0) yield `${due} events are due and not settled.`
  const people = new Set(users.map(({ id }) => id))
  for (const { id, user_id } of occasions) if (!people.has(user_id)) yield `Occasion ${id} has no person.`
  const known = new Set(occasions.map(({ id }) => id))
  for (const { id, occasion_id } of events) if (!known.has(occasion_id)) yield `Event ${id} has no occasion.`
}

const isSettled = (status: string) => status === 'COMPLETED' || status === 'FAILED'
const iso = (at: number) => new Date(at).toISOString()

const RULES: readonly [rule: string, check: (tables: Tables) => Iterable<string>][] = [
  ['every account has its person, and every person an account', peopleAgree],
  ['every todo has its task, and every task a todo', tasksAgree],
  ['every person is owed one birthday, at their midnight', birthdaysAreOwed],
  ['every task has one reminder', remindersAreOwed],
  ['every COMPLETED event has one effect, and no other event has any', effectsAgree],
  ['nothing is stuck and nothing is left of a deleted person', nothingIsLeft],
]
