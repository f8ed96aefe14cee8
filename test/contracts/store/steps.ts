// The steps of contract tests, and how they read the results.
import { expect } from 'vitest'
import type { Attempt, Event, PlannedEvent } from '../../../src/domain/events/event.ts'
import { failureFrom } from '../../../src/domain/events/failure-reason.ts'
import type { Claim, ClaimRef, Render, Settlement } from '../../../src/ports/claim.ts'
import type { Page } from '../../../src/ports/query.ts'
import type { DueClaim, NewPerson, Store } from '../../../src/ports/store.ts'
import { MINUTE, makePeople, makePlanned, type PersonOverrides, T0, YEAR } from '../../support/fixtures.ts'

export const LEASE = 5 * MINUTE

export async function create(store: Store, ...people: NewPerson[]): Promise<void> {
  expect(await store.createUsers(people)).toEqual({ kind: 'created', created: people.length })
}

export function claimAt(
  store: Store,
  now: number,
  over: Partial<Pick<DueClaim, 'limit' | 'batch' | 'lanes'>> & { by?: string; says?: Render } = {},
): Promise<Claim[]> {
  const { limit = 2_000, by = 'worker-1', batch, lanes, says = bodyOf } = over
  const run = { claimedBy: by, ...(batch === undefined ? {} : { batch }), ...(lanes && { lanes }) }
  return store.claimDue({ now, limit, leaseMs: LEASE, ...run, render: says })
}

/** What an event says in these tests, where it does not matter what. */
export function bodyOf({ id }: { id: string }): string {
  return `body of ${id}`
}

/** New people whose events are due at T0 and claimed then, in the order of the people. */
export async function createClaimed(
  store: Store,
  count: number,
  over: (index: number) => PersonOverrides = () => ({}),
): Promise<{ people: NewPerson[]; claims: Claim[] }> {
  const people = makePeople(count, (index) => ({ targetAt: T0, ...over(index) }))
  await create(store, ...people)
  const byId = new Map((await claimAt(store, T0)).map((claim) => [claim.id, claim]))
  return { people, claims: people.map(({ events }) => byId.get(events[0]!.id)!) }
}

export async function createOneClaimed(
  store: Store,
  over: PersonOverrides = {},
): Promise<{ person: NewPerson; claim: Claim }> {
  const { people, claims } = await createClaimed(store, 1, () => over)
  return { person: people[0]!, claim: claims[0]! }
}

export function refOf(claim: Claim): ClaimRef {
  return { eventId: claim.id, version: claim.version, claimedAt: claim.claimedAt }
}

export function successorOf(claim: Claim): PlannedEvent {
  return makePlanned(claim.occasion, { timezone: claim.user.timezone }, claim.targetAt + YEAR)
}

export type Terminal = Extract<Settlement, { kind: 'terminal' }>

export function delivered(claim: Claim, over: Partial<Terminal> = {}): Terminal {
  return {
    ...refOf(claim),
    at: claim.claimedAt + 250,
    kind: 'terminal',
    status: 'COMPLETED',
    failure: null,
    statusCode: 200,
    planRevision: claim.planRevision,
    successor: successorOf(claim),
    ...over,
  }
}

/** Ended by one error, such as `HTTP 410`. */
export function failed(claim: Claim, error: string, over: Partial<Terminal> = {}): Terminal {
  return delivered(claim, { status: 'FAILED', failure: failureFrom(error), statusCode: 410, ...over })
}

/** Given up after attempts. */
export function exhausted(claim: Claim, lastError: string, over: Partial<Terminal> = {}): Terminal {
  const failure = { code: 'RETRIES_EXHAUSTED', lastError }
  return failed(claim, lastError, { failure, statusCode: 503, ...over })
}

export function retry(claim: Claim, wakeAt: number, error = 'HTTP 503'): Settlement {
  return {
    ...refOf(claim),
    at: claim.claimedAt + 250,
    kind: 'retry',
    wakeAt,
    error,
    statusCode: 503,
  }
}

/** Released after an attempt that used no retry. */
export function released(claim: Claim, wakeAt: number, error = 'CONNECTION: down'): Settlement {
  return { ...release(claim, undefined, wakeAt), attempt: { error, statusCode: 503 } }
}

export function release(
  claim: Claim,
  at = claim.claimedAt + 250,
  wakeAt: number | null = at,
): Settlement & { kind: 'release' } {
  return { ...refOf(claim), at, kind: 'release', wakeAt, attempt: null }
}

export async function eventOf(store: Store, id: string): Promise<Event> {
  const found = await store.findEvent(id)
  expect(found, `event ${id}`).not.toBeNull()
  return found!.event
}

export async function attemptsOf(store: Store, id: string): Promise<Attempt[]> {
  return (await store.findEvent(id))?.attempts ?? []
}

/** Every event of a user as it is stored, without the name that a list adds, in the order of their instants. */
export async function eventsOf(store: Store, userId: string): Promise<Event[]> {
  const listed = await allPages((cursor) => store.listEvents({ limit: 100, cursor, userId }))
  const events = listed.map(({ firstName: _, lastName: __, externalId: ___, ...event }) => event)
  return events.sort((a, b) => a.targetAt - b.targetAt)
}

/** Follows the cursors to the end. */
export async function allPages<T>(read: (cursor: string | null) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < 1_000; pages++) {
    const page: Page<T> = await read(cursor)
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
  throw new Error('The pages do not end.')
}

export const sorted = (ids: readonly string[]) => [...ids].sort()
export const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id)
