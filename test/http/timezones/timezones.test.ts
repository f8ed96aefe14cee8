// Timezone data over HTTP: its state, dry runs and replans.
import { describe, expect, it } from 'vitest'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import { replan } from '../../../src/app/timezones/replan.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { NOW, OLD, populate } from '../../app/timezones/support/two-tables.ts'
import { clockAt } from '../../support/fixtures.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const VANCOUVER = {
  zone: 'America/Vancouver',
  from: '2025c',
  to: tzdb.version,
  since: '2026-11-01T09:00:00.000Z',
  offsetFrom: '-08:00',
  offsetTo: '-07:00',
  people: 2,
}

/** Plans with the previous IANA release in the database of the app. */
function deps({ store }: TestApp): AppDeps<Store> {
  const clock = clockAt(NOW)
  const planner = { ids: createIds(() => 0.25), table: OLD }
  return { store, planner, clock, telemetry() {}, onPlanned() {}, deliverAt: '09:00' }
}

async function plannedByOld(): Promise<TestApp> {
  const testApp = createTestApp()
  testApp.setClock(new Date(NOW).toISOString())
  await replan(deps(testApp), { check: 'recent' })
  await populate(deps(testApp), { zones: ['America/Vancouver', 'Asia/Tokyo'], birthdays: ['12-15', '06-20'] })
  return testApp
}

const postReplan = (testApp: TestApp, query = '') => testApp.send(`/tz/replan${query}`, { method: 'POST' })

describe('GET /tz', () => {
  it('is UNRECORDED before the first replan', async () => {
    const { send } = createTestApp()
    const { status, json } = await send('/tz')
    const nothing = { recorded: [], differs: [], notPlaces: [], lastChange: null }
    expect([status, json]).toEqual([200, { version: tzdb.version, state: 'UNRECORDED', ...nothing }])
  })

  it('returns the timezones that differ, from when, and how many people they concern', async () => {
    const { send } = await plannedByOld()
    const { json } = await send('/tz')
    const due = { recorded: ['2025c'], state: 'REPLAN_DUE', lastChange: null }
    expect(json).toMatchObject({ version: tzdb.version, ...due })
    expect(json.differs).toContainEqual(VANCOUVER)
    const places = json.differs.map(({ zone }: { zone: string }) => zone)
    expect(places).toContain('America/Havana')
    expect(places).not.toContain('Asia/Tokyo')
  })

  it('returns the last change after a replan', async () => {
    const testApp = await plannedByOld()
    await postReplan(testApp)
    const { json } = await testApp.send('/tz')
    expect(json).toMatchObject({
      recorded: [tzdb.version],
      state: 'CURRENT',
      differs: [],
      lastChange: { at: '2026-11-15T12:00:00.000Z', from: '2025c' },
    })
    expect(json.lastChange.zones).toContain('America/Havana')
    expect(json.lastChange.zones).not.toContain('Asia/Tokyo')
  })

  it('is TABLE_OLDER if events were planned with a later release', async () => {
    const testApp = createTestApp()
    await postReplan(testApp)
    const zones = await testApp.store.listZones()
    const later = zones.map((zone) => ({ ...zone, version: '2030a' }))
    await testApp.store.saveZones(later)
    expect((await testApp.send('/tz')).json).toMatchObject({ recorded: ['2030a'], state: 'TABLE_OLDER' })
    expect((await postReplan(testApp)).json).toMatchObject({ ahead: '2030a', moved: 0, zones: [] })
  })
})

describe('POST /tz/replan', () => {
  it('only counts with dryRun', async () => {
    const testApp = await plannedByOld()
    const { status, json } = await postReplan(testApp, '?dryRun=true')
    expect(status).toBe(200)
    const counts = { people: 2, moved: 1, unmoved: 1 }
    const example = { exampleFrom: '2026-12-15T17:00:00.000Z', exampleTo: '2026-12-15T16:00:00.000Z' }
    expect(json).toEqual({
      ...{ version: tzdb.version, dryRun: true, moved: 1, unmoved: 1 },
      zones: [{ zone: 'America/Vancouver', ...counts, shiftMs: -3_600_000, ...example }],
      ...{ ahead: null, gone: [], errors: 0, complete: true },
    })
    expect((await testApp.send('/tz')).json).toMatchObject({ state: 'REPLAN_DUE' })
    expect(testApp.planned).toEqual([])
  })

  it('reschedules the events and wakes the worker; a repeated replan changes nothing', async () => {
    const testApp = await plannedByOld()
    expect((await postReplan(testApp)).json).toMatchObject({ dryRun: false, moved: 1, unmoved: 1 })
    expect(testApp.planned).toEqual([Date.parse('2026-12-15T16:00:00Z')])
    const { json } = await testApp.send('/event?dueBefore=2027-01-01T00:00:00Z')
    const due = json.items.map((event: { targetTimestampLocal: string }) => event.targetTimestampLocal)
    expect(due.sort()).toEqual(['2026-12-15T09:00:00+09:00', '2026-12-15T09:00:00-07:00'])
    expect((await postReplan(testApp)).json).toMatchObject({ moved: 0, unmoved: 0, zones: [] })
  })

  it('rejects unknown parameters', async () => {
    const testApp = createTestApp()
    for (const query of ['?dryRun=yes', '?dryrun=true', '?dryRun=true&dryRun=true']) {
      const { status, json } = await postReplan(testApp, query)
      expect([status, json.code]).toEqual([400, 'INVALID_QUERY'])
    }
  })
})
