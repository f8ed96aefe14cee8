// Shared by the tests of replanning: a world, processes with either table, and reads of people's events.
import { afterEach, beforeEach, expect } from 'vitest'
import type { AppDeps } from '../../../../src/app/app-deps.ts'
import { type ReplanDeps, replan } from '../../../../src/app/timezones/replan.ts'
import type { Event } from '../../../../src/domain/events/event.ts'
import type { TimezoneTable } from '../../../../src/domain/time/tzdb.ts'
import type { NewPerson } from '../../../../src/ports/store.ts'
import { createWorld, type World } from '../../../engine/support/world.ts'
import { NOW, planningBy, populate } from './two-tables.ts'

/** In winter and in summer, around the days on which clocks change, today and tomorrow. */
export const BIRTHDAYS = ['01-10', '03-08', '03-20', '06-20', '10-28', '11-15', '11-16', '12-15', '02-29']

export type Steps = {
  /** Created again for each test. */
  world(): World
  withTable(table: TimezoneTable, over?: Partial<ReplanDeps>): ReplanDeps
  /** The replan of a process with that table at its start. */
  start(table: TimezoneTable): ReturnType<typeof replan>
  usersBy(table: TimezoneTable): AppDeps
  /** One person for each birthday, planned by that table. */
  add(table: TimezoneTable, timezone: string, ...birthdays: string[]): Promise<NewPerson[]>
  /** The one open event of a person. */
  eventOf(person: NewPerson): Promise<Event>
  dueAt(person: NewPerson): Promise<string>
  allEvents(): Promise<Event[]>
}

export function replanSteps(): Steps {
  let world: World
  beforeEach(() => {
    world = createWorld(NOW)
  })
  afterEach(() => world.close())

  const withTable: Steps['withTable'] = (table, over = {}) => {
    const { store, clock, app, planner } = world
    const planned = { store, clock, telemetry: app.telemetry, onPlanned: app.onPlanned }
    return { ...planned, planner: { ids: planner.ids, table }, ...over }
  }
  const usersBy = (table: TimezoneTable) => planningBy(world.app, table)
  const eventOf = async ({ user }: NewPerson): Promise<Event> => {
    const open = (await world.events(user.id)).filter(({ wakeAt }) => wakeAt !== null)
    expect(open).toHaveLength(1)
    return open[0]!
  }
  return {
    world: () => world,
    withTable,
    start: (table) => replan(withTable(table), { check: 'recent' }),
    usersBy,
    add: (table, timezone, ...birthdays) => populate(usersBy(table), { zones: [timezone], birthdays }),
    eventOf,
    dueAt: async (person) => new Date((await eventOf(person)).targetAt).toISOString(),
    allEvents: async () => (await world.store.listEvents({ limit: 2_000, cursor: null })).items,
  }
}
