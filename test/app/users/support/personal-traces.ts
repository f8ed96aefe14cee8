// Creates every kind of data about a person: requests, changes, attempts of every kind, failures, replays.
import type { AppDeps } from '../../../../src/app/app-deps.ts'
import type { Exchange } from '../../../../src/domain/events/exchange.ts'
import { failureFrom } from '../../../../src/domain/events/failure-reason.ts'
import { createIds } from '../../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { createApp } from '../../../../src/http/app.ts'
import type { Claim, Settlement } from '../../../../src/ports/claim.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { accessFor } from '../../../http/support/test-access.ts'
import type { Json } from '../../../http/support/test-app.ts'
import { createTestChannels } from '../../../http/support/test-channels.ts'
import { clockAt, DELIVERED, seededDice, YEAR } from '../../../support/fixtures.ts'

/** Long past, so that the events are due by PostgreSQL's own clock. */
const START = Date.parse('2020-06-01T00:00:00Z')

export const PERSON = {
  firstName: 'Wilhelmina',
  lastName: 'Ødegård-Xu',
  dateOfBirth: '1987-06-03',
  timezone: 'Pacific/Chatham',
  email: 'wilhelmina@oedegaard.example',
}
const OTHER = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-06-03', timezone: 'UTC' }
const LEASE = 60_000

export type Life = {
  /** All words and ids that identify the person. */
  traces: string[]
  erase(): Promise<void>
}

/** `others` have rows around the person's, so that pages fill, split and are freed. */
export async function live(store: Store, others: number): Promise<Life> {
  let now = START
  const appDeps: AppDeps<Store> = {
    store,
    planner: { ids: createIds(seededDice(8)), table: tzdb },
    clock: clockAt(() => now),
    telemetry() {},
    deliverAt: '09:00',
    onPlanned() {},
  }
  // The audit log keeps the ids of erased people: it is not part of this check.
  const audit = { record: async () => {}, count: async () => {}, close: async () => {} }
  const deps = {
    ...{ audit, inbox: null, version: '1', settings: [], metrics: null },
    ...{ ready: async () => {}, onError() {} },
  }
  const channels = createTestChannels(appDeps, { sent: [], answer: DELIVERED }, { sealed: true })
  const app = createApp({ app: appDeps, channels, ...accessFor(appDeps), ...deps })

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await app.request(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? null : await response.json()) as Json
  }

  async function work(at: number, end: (claim: Claim) => Settlement | null): Promise<void> {
    now = at
    const claims = await store.claimDue({
      now,
      limit: 10_000,
      leaseMs: LEASE,
      claimedBy: 'worker',
      render: ({ user }) =>
        JSON.stringify({ message: `Hey, ${user.firstName} ${user.lastName} ${user.email}` }),
    })
    await store.settle(claims.flatMap((claim) => end(claim) ?? []))
  }

  const crowd = (count: number) => call('POST', '/user/bulk', { users: Array(count).fill(OTHER) })
  await crowd(others)
  const { user, nextBirthdayEvent } = await call('POST', '/user', PERSON)
  await crowd(others)
  await call('PUT', `/user/${user.id}`, { lastName: 'Ødegård' })
  for (const timezone of ['Pacific/Apia', PERSON.timezone])
    await call('PUT', `/user/${user.id}`, { timezone })
  const hobby = { type: 'REGATTA', date: '2020-12-24', template: 'Sail the Skagerrak' }
  const regatta = await call('POST', `/user/${user.id}/occasion`, hobby)
  const errand = { userId: user.id, title: 'Varnish the dinghy', dueAt: '2020-12-20T12:00:00Z' }
  const task = await call('POST', '/task', errand)
  const due = Date.parse(nextBirthdayEvent.targetTimestampUTC)
  await work(due, (claim) => retry(claim, due + 1_000))
  await work(due + DAY, (claim) => (claim.user.id === user.id ? null : failed(claim, due + DAY)))
  const later = due + DAY + LEASE
  await work(later, (claim) => failed(claim, later))
  now = later + 1_000
  const replay = await call('POST', `/event/${nextBirthdayEvent.id}/replay`)
  await call('POST', '/event/replay', {})
  await work(now, (claim) => failed(claim, now))
  const second = await call('POST', `/event/${replay.id}/replay`, { newKey: true })
  await work(now, (claim) => delivered(claim, now))

  const events = (await call('GET', `/user/${user.id}/event`)).items as { id: string }[]
  const { occasionId } = await call('GET', `/event/${second.id}`)
  const ids = [user.id, occasionId, regatta.id, task.id, ...events.map(({ id }) => id)]
  const names = ['wilhelmina', 'ødegård', 'oedegaard']
  const words = [...names, 'skagerrak', 'dinghy', PERSON.dateOfBirth, PERSON.timezone, 'Pacific/Apia']
  return { traces: [...ids, ...words], erase: () => call('DELETE', `/user/${user.id}`) }
}

const DAY = 86_400_000

function ref({ id, version }: Claim, at: number) {
  return { eventId: id, version, at }
}

function retry(claim: Claim, wakeAt: number): Settlement {
  return {
    ...ref(claim, claim.claimedAt),
    kind: 'retry',
    wakeAt,
    error: 'HTTP 503',
    statusCode: 503,
    exchange: quoting(claim),
  }
}

/** A receiver that quotes the person in its response. */
function quoting({ user }: Claim): Exchange {
  const body = `No such contact: ${user.firstName} ${user.lastName}`
  return { destination: 'https://example.com/hook', response: { headers: {}, body, shortened: false } }
}

function failed(claim: Claim, at: number): Settlement {
  return { ...terminal(claim, at), status: 'FAILED', failure: failureFrom('HTTP 410'), statusCode: 410 }
}

function delivered(claim: Claim, at: number): Settlement {
  return { ...terminal(claim, at), status: 'COMPLETED', failure: null, statusCode: 200 }
}

let successors = 0

function terminal(claim: Claim, at: number) {
  const { occasionId, timezone, tzVersion, offsetSeconds, planRevision } = claim
  const successor = {
    id: `0199${String(++successors).padStart(4, '0')}-0000-7000-8000-000000000000`,
    occasionId,
    occurrence: String(Number.parseInt(claim.occurrence, 10) + 1),
    targetAt: claim.targetAt + YEAR,
    ...{ offsetSeconds, timezone, tzVersion },
  }
  return {
    ...ref(claim, at),
    exchange: quoting(claim),
    kind: 'terminal' as const,
    planRevision,
    successor: claim.replayOf === null ? successor : null,
  }
}
