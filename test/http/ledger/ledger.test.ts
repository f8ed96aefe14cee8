// The ledger over HTTP: closed days, today so far, and the repair of a plan.
import { afterEach, describe, expect, it } from 'vitest'
import { checkPlans } from '../../../src/app/ledger/check-plans.ts'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { clockAt, makePerson } from '../../support/fixtures.ts'
import { createTestApp, type Json, type TestApp } from '../support/test-app.ts'

let app: TestApp
afterEach(() => app.store.close())

const codes = ({ problems }: Json) => problems.map(({ field, code }: Json) => `${field} ${code}`)

/** A person without an event, whom a check has found, and two closed days. */
async function begin() {
  app = createTestApp()
  const person = { ...makePerson({ externalId: 'crm-17' }), events: [] }
  await app.store.createUsers([person])
  const deps = (at: string) => {
    app.setClock(at)
    const clock = clockAt(Date.parse(at))
    const planner = { ids: createIds(Math.random), table: tzdb }
    return { store: app.store, clock, planner, telemetry() {} }
  }
  await checkPlans(deps('2026-11-14T10:00:00Z'))
  await closeDays(deps('2026-11-16T13:00:00Z'))
  return { ...app, occasionId: person.occasions[0]!.id }
}

describe('GET /ledger', () => {
  it('lists the closed days, the newest first, by range and page', async () => {
    const { send } = await begin()
    const days = async (query = '') => (await send(`/ledger?${query}`)).json.items.map(({ day }: Json) => day)
    expect(await days()).toEqual(['2026-11-15', '2026-11-14'])
    expect(await days('to=2026-11-14')).toEqual(['2026-11-14'])
    const { items, nextCursor } = (await send('/ledger?limit=1')).json
    expect(items).toEqual([
      {
        ...{ day: '2026-11-15', closedAt: '2026-11-16T13:00:00.000Z', codes: {} },
        // The problem, and no check within the last hours.
        ...{ due: 0, onTime: 0, late: 0, failed: 0, notSent: 0, waiting: 0, missed: 2 },
      },
    ])
    expect(await days(`cursor=${nextCursor}`)).toEqual(['2026-11-14'])
    expect((await send('/ledger?from=2026-13-01')).json.code).toBe('INVALID_QUERY')
  })
})

describe('GET /ledger/{day}', () => {
  it('has the account of today, of a closed day and of one that is not closed, with its problems', async () => {
    const { send, occasionId } = await begin()
    const today = (await send('/ledger/today')).json
    expect(today.missed).toMatchObject({ UNPLANNED: 1, UNCHECKED: 1, STUCK: 0 })
    expect(today.day).toMatchObject({ day: '2026-11-16', closedAt: null, missed: 2 })
    expect(today.lines).toEqual([
      expect.objectContaining({
        ...{ kind: 'problem', reason: 'UNPLANNED', occasionId, eventId: null, externalId: 'crm-17' },
        ...{ firstName: 'Ada', lastName: 'Lovelace', dueAt: null, goneAt: null },
        ...{ expectedAt: '2027-06-01T09:00:00.000Z', foundAt: '2026-11-14T10:00:00.000Z' },
      }),
    ])
    expect((await send('/ledger/2026-11-14')).json).toMatchObject({ day: { missed: 2 }, lines: [{}] })
    expect((await send('/ledger/2026-11-16')).json).toMatchObject({ day: { closedAt: null } })
    for (const day of ['2026-11-13', '2026-11-18', 'yesterday'])
      expect((await send(`/ledger/${day}`)).json.code).toBe('DAY_NOT_FOUND')
  })
})

describe('POST /ledger/repair', () => {
  it('plans what a check found, of one occasion or of all, and nothing with dryRun', async () => {
    const { send, post, occasionId } = await begin()
    const counts = { planned: 1, right: 0, left: 0 }
    expect((await post('/ledger/repair', { dryRun: true })).json).toEqual({ ...counts, dryRun: true })
    const explain = async () => (await send(`/occasion/${occasionId}/explain`)).json
    expect((await explain()).summary).toContain('terce ledger --repair plans it')
    expect((await post('/ledger/repair', { occasionId })).json).toEqual({ ...counts, dryRun: false })
    expect((await explain()).occasion.next.targetTimestampUTC).toBe('2027-06-01T09:00:00.000Z')
    expect((await send('/ledger/2026-11-16')).json.lines).toMatchObject([
      { reason: 'UNPLANNED', goneAt: '2026-11-16T13:00:00.000Z' },
    ])
  })
})

describe('PUT /ledger/report', () => {
  it('sets where the daily report goes, and has a problem for a target that nothing sends to', async () => {
    app = createTestApp()
    const { send, put, post } = app
    expect((await send('/ledger/report')).json).toEqual({ to: null, setBy: null })
    const problems = async (to: string) => codes((await put('/ledger/report', { to })).json)
    expect(await problems('ops@')).toEqual(['to INVALID_EMAIL'])
    expect(await problems('ops@example.com')).toEqual(['to UNKNOWN_CHANNEL'])
    expect(await problems('crm')).toEqual(['to UNKNOWN_CHANNEL'])
    await post('/channel', { name: 'crm', kind: 'webhook', url: 'https://crm.example/hook' })
    const set = { to: 'crm', setBy: 'settings' }
    expect((await put('/ledger/report', { to: 'crm' })).json).toEqual(set)
    expect((await send('/ledger/report')).json).toEqual(set)
    expect((await put('/ledger/report', { to: null })).json).toEqual({ to: null, setBy: null })
  })

  it('is rejected while REPORT_TO sets it', async () => {
    app = createTestApp({ reportTo: 'crm' })
    expect((await app.put('/ledger/report', { to: null })).json.code).toBe('SETTING_MANAGED')
    expect((await app.send('/ledger/report')).json).toEqual({ to: 'crm', setBy: 'environment' })
  })
})
