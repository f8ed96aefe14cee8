// The columns of new events and of moves.
import type { PlannedEvent } from '../../../domain/events/event.ts'
import { laneOf } from '../../../domain/events/lane.ts'
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { NewPerson, NewReplay, Reschedule } from '../../../ports/store.ts'
import type { Columns } from './columns.ts'

/** The instants among the columns of events. */
const INSTANTS = 'target_at wake_at lease_until claimed_at executed_at created_at updated_at'.split(' ')

/** The value of a column of an event: instants in epoch milliseconds. */
export function eventValue(table: string, name: string, inMs: (column: string) => string): string {
  return INSTANTS.includes(name) ? inMs(`${table}.${name}`) : `${table}.${name}`
}

/** An event that was never claimed, its lane, and when it is inserted. */
export type NewEvent = { event: PlannedEvent; lane: number; at: number }

/** The lane of the open events of an occasion. */
export const LANE: Columns<Occasion> = {
  id: ['uuid', ({ id }) => id],
  lane: ['bigint', laneOf],
}

export const NEW_EVENT = {
  id: ['uuid', ({ event }) => event.id],
  occasion_id: ['uuid', ({ event }) => event.occasionId],
  occurrence: ['text', ({ event }) => event.occurrence],
  target_at: ['instant', ({ event }) => event.targetAt],
  offset_seconds: ['int', ({ event }) => event.offsetSeconds],
  timezone: ['text', ({ event }) => event.timezone],
  tz_version: ['text', ({ event }) => event.tzVersion],
  wake_at: ['instant', ({ event }) => event.targetAt],
  retry_count: ['int', () => 0],
  version: ['int', () => 1],
  plan_revision: ['int', () => 0],
  created_at: ['instant', ({ at }) => at],
  updated_at: ['instant', ({ at }) => at],
  lane: ['bigint', ({ lane }) => lane],
} satisfies Columns<NewEvent>

/** The occasion of a failed event names the channel, which decides the lane of its replay. */
export type NewReplayIn = NewReplay & { channelId: string | null; lane: number }

export const NEW_REPLAY: Columns<NewReplayIn> = {
  of_id: ['uuid', (replay) => replay.of],
  id: ['uuid', (replay) => replay.id],
  own_key: ['int', (replay) => (replay.ownKey ? 1 : 0)],
  at: ['instant', (replay) => replay.at],
  channel_id: ['uuid', (replay) => replay.channelId],
  lane: ['bigint', (replay) => replay.lane],
}

/** `rows`: the id of each failed event, with the channel and the type of its occasion. */
export function inLanes(replays: readonly NewReplay[], rows: readonly (readonly unknown[])[]): NewReplayIn[] {
  const byId = new Map(rows.map(([id, channelId, type]) => [id, { channelId, type } as Where]))
  return replays.flatMap((replay) => {
    const where = byId.get(replay.of)
    return where === undefined ? [] : [{ ...replay, channelId: where.channelId, lane: laneOf(where) }]
  })
}

type Where = Parameters<typeof laneOf>[0]

/** The new place of a pending event. It is null for an event in flight, and for one to delete. */
export const MOVE = {
  id: ['uuid', ({ eventId }) => eventId],
  version: ['int', ({ version }) => version],
  occurrence: ['text', ({ to }) => to?.occurrence ?? null],
  target_at: ['instant', ({ to }) => to?.targetAt ?? null],
  offset_seconds: ['int', ({ to }) => to?.offsetSeconds ?? null],
  timezone: ['text', ({ to }) => to?.timezone ?? null],
  tz_version: ['text', ({ to }) => to?.tzVersion ?? null],
  cause: ['text', ({ cause }) => cause ?? null],
} satisfies Columns<Reschedule>

/**
 * In order of id, which begins with the instant: neighbours in the table and in two of its indexes. On SQLite an event takes
 * 12.6 µs instead of 19.
 */
export function newEventsOf(people: readonly NewPerson[]): NewEvent[] {
  return people
    .flatMap(({ user, occasions, events }) =>
      events.map((event) => {
        const occasion = occasions.find(({ id }) => id === event.occasionId)!
        return { event, lane: laneOf(occasion), at: user.createdAt }
      }),
    )
    .sort((a, b) => (a.event.id < b.event.id ? -1 : 1))
}
