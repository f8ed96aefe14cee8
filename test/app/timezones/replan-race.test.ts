// A replan beside running workers and a second replan: no event is lost, none is delivered twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import { replan } from '../../../src/app/timezones/replan.ts'
import { createPeople, preparePerson } from '../../../src/app/users/create.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { isPlace } from '../../../src/domain/time/timezone.ts'
import { loadTimezoneTable } from '../../../src/domain/time/tzdb.ts'
import { startEngine } from '../../../src/engine/engine.ts'
import type { NewPerson, Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { openThreadedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { SETTINGS } from '../../engine/support/world.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { BUILT_IN_ONLY, onlyDestination } from '../../support/fixed-parts.ts'
import { DELIVERED, HOUR, seededDice, shuffled, T0 } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'

// Invented dates, long past: PostgreSQL claims no event before it is due by its own clock.
const UTC = '0|0|'
const WEST = '-3600|0|'
const OLD = loadTimezoneTable({
  version: '2019a',
  zones: { 'Sea/Late': UTC, 'Sea/Same': UTC, 'Sea/Soon': WEST },
  links: {},
})
const NEW = loadTimezoneTable({
  version: '2020a',
  zones: { 'Sea/Late': WEST, 'Sea/Same': UTC, 'Sea/Soon': UTC },
  links: {},
})
const EACH = 150

/** Just past nine in UTC when the test starts: two of the timezones are due by the old rules, two by the new ones. */
const started = Date.now()
const clock = { ...systemClock, now: () => T0 + 1 + Date.now() - started }
const ids = createIds(Math.random)
const by = (store: Store, table = NEW): AppDeps<Store> => {
  const still = { ...systemClock, now: () => T0 - 1 }
  return { store, planner: { ids, table }, clock: still, telemetry() {}, deliverAt: '09:00', onPlanned() {} }
}

function people(store: Store): NewPerson[] {
  const places = OLD.zones()
    .filter(isPlace)
    .flatMap((place) => Array<string>(EACH).fill(place))
  return shuffled(places, seededDice(3)).map((timezone) => {
    const input = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-06-01', timezone }
    const person = preparePerson(by(store, OLD), input)
    if (!person.ok) throw new Error(JSON.stringify(person.problems))
    return person.value
  })
}

async function race(open: () => Promise<Store>) {
  const store = await open()
  await replan({ ...by(store, OLD), clock }, { check: 'recent' })
  const everybody = people(store)
  await createPeople(by(store, OLD), everybody)
  const sent: string[] = []
  const notices: Notice[] = []
  const channel = {
    deliver: async ({ eventId }: { eventId: string }) => {
      sent.push(eventId)
      return DELIVERED
    },
    close: async () => {},
  }
  const engines = await Promise.all(
    ['one', 'two'].map(async (workerId) =>
      startEngine(
        {
          ...by(await open()),
          clock,
          telemetry: (notice) => void notices.push(notice),
          destinations: onlyDestination(channel),
          dice: Math.random,
          retryPolicy: { delaysMs: [] },
          templates: BUILT_IN_ONLY,
          lateness: new Map(),
          keepResponses: 'all',
        },
        { ...SETTINGS, workerId, batchSize: 20, pollMs: 20 },
      ),
    ),
  )
  const replans = await Promise.all(
    [1, 2].map(async () =>
      replan({ ...by(await open()), clock, telemetry: (n) => notices.push(n) }, { check: 'recent' }),
    ),
  )
  await until(
    'all settled',
    async () => {
      const { count } = await store.countOverdue(clock.now())
      const held = await store.listEvents({ limit: 1, cursor: null, status: 'PROCESSING' })
      return count + held.items.length
    },
    (open) => open === 0,
  )
  await Promise.all(engines.map((engine) => engine.stop()))
  return { store, everybody, sent, notices, moved: replans.flatMap((report) => report.zones) }
}

async function check({ store, everybody, sent, notices, moved }: Awaited<ReturnType<typeof race>>) {
  expect(notices.filter(({ kind }) => kind === 'error' || kind === 'stale')).toEqual([])
  expect(new Set(sent).size).toBe(sent.length)
  const { items } = await store.listEvents({ limit: 5_000, cursor: null })
  const eventsOf = Map.groupBy(items, ({ userId }) => userId)
  const delivered = new Set(sent)
  let putOff = 0
  for (const { user, events } of everybody) {
    const [event, successor, ...more] = eventsOf.get(user.id)!
    expect([event!.id, event!.occurrence, more]).toEqual([events[0]!.id, '2020', []])
    if (event!.status === 'PENDING') {
      putOff += 1
      expect([user.timezone, event!.targetAt, successor]).toEqual(['Sea/Late', T0 + HOUR, undefined])
      expect(delivered).not.toContain(event!.id)
    } else {
      const nine = Date.parse('2021-06-01T09:00:00Z') + (user.timezone === 'Sea/Late' ? HOUR : 0)
      expect(event!.status).toBe('COMPLETED')
      expect(delivered).toContain(event!.id)
      expect(successor).toMatchObject({ occurrence: '2021', status: 'PENDING', targetAt: nine })
    }
  }
  expect(sent).toHaveLength(everybody.length - putOff)
  // Each event was moved by one of the two replans.
  const counted = (place: string) =>
    moved.filter(({ zone }) => zone === place).reduce((sum, zone) => sum + zone.moved, 0)
  expect([counted('Sea/Soon'), counted('Sea/Late')]).toEqual([EACH, putOff])
  const records = await store.listZones()
  expect(records.map(({ version }) => version)).toEqual(['2020a', '2020a', '2020a'])
}

describe('a replan beside two workers and another replan', () => {
  it('loses no event and delivers none twice on SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-replan-'))
    const opened: Store[] = []
    const open = async () => {
      const store = await openThreadedSqliteStore(join(folder, 'terce.db'), systemClock, (error) => {
        throw error
      })
      opened.push(store)
      return store
    }
    try {
      await check(await race(open))
    } finally {
      for (const store of opened) await store.close()
      rmSync(folder, { recursive: true })
    }
  })

  describe('on PostgreSQL', () => {
    const stage = useStage()
    it('loses no event and delivers none twice', async () => {
      await check(await race(() => stage.open({ connections: 4 })))
    })
  })
})
