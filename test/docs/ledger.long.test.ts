// The page about the ledger, as written: the report has the body that is shown, and the repair works.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDays } from '../../src/app/ledger/close-days.ts'
import { reportDays } from '../../src/app/ledger/report.ts'
import type { DayReport } from '../../src/domain/ledger/day-hash.ts'
import { createTestTerce } from '../../src/library/testing/testing.ts'
import { type Installation, openInstallation } from '../app/ledger/support/installation.ts'
import { readPage } from './support/page.ts'

const page = readPage('ledger.md')
it('names the commands, the operations and the page of the dashboard', () => {
  for (const name of ['`terce ledger`', '`terce ledger --day', '--hash`']) expect(page.text).toContain(name)
  for (const path of ['/ledger', '/ledger/{day}']) expect(page.text).toContain(`\`GET ${path}\``)
  expect(page.text).toContain('`/app/ledger`')
})

describe('a day that is not sound, as written', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await openInstallation()
  })
  afterAll(() => installation.stop())

  it('shows the bodies that LEDGER_URL gets, of an overdue day and of a closed one, with hashes of its own', async () => {
    const { deps, alter } = installation
    const posted: object[] = []
    const postReport = async (_key: string, report: object) => void posted.push(report)
    const clock = { ...deps.clock, now: () => Date.parse('2027-03-14T00:00:00Z') }
    await reportDays({ ...deps, clock, postReport }, () => true)
    alter('birthday', ['DELETE FROM events WHERE id = :event'])
    await closeDays(deps)
    await reportDays({ ...deps, postReport }, () => true)
    const [alarm, report] = page.blocks('json').map((text) => JSON.parse(text))
    expect(posted[0]).toEqual(alarm)
    const { hash, previous } = posted.at(-1) as DayReport
    expect(posted.at(-1)).toEqual({ ...report, hash, previous })
    expect(Object.keys(posted.at(-1)!)).toEqual(Object.keys(report))
  })

  it('advises a repair that plans an occasion whose event is gone', async () => {
    expect(page.text).toContain('is planned again when it is paused and resumed')
    const terce = await createTestTerce({ now: '2027-03-08T00:00:00Z' })
    const born = { dateOfBirth: '1990-03-12', timezone: 'Europe/Berlin' }
    const { user } = await terce.users.create({ firstName: 'Ada', lastName: 'Lovelace', ...born })
    const { items } = await terce.occasions.ofUser(user.id)
    terce.sqlite.prepare('DELETE FROM terce_events').run()
    await terce.occasions.pause(items[0]!.id)
    await terce.occasions.resume(items[0]!.id)
    const planned: string[] = []
    for await (const { status, occurrence } of terce.events.ofUser(user.id))
      planned.push(`${status} ${occurrence}`)
    expect(planned).toEqual(['PENDING 2027'])
    await terce.stop()
  })
})
