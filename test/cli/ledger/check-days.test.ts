// What `terce doctor` says about the ledger.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { addDoctor } from '../../../src/cli/doctor/doctor.ts'
import { type Fate, keepLedger } from '../support/closed-days.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addDoctor)
const start = useServedDatabase(database)

/** The local date in UTC, that many days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Closes three days of which the last one was that many days ago. */
function keepDays(last: number, fate: Fate = 'delivered') {
  return keepLedger(database.path, {
    [daysAgo(last + 2)]: ['delivered'],
    [daysAgo(last + 1)]: [],
    [daysAgo(last)]: [fate],
  })
}

async function examine(args: string[] = [], env?: Record<string, string>) {
  const { stdout } = await database.terce(['doctor', '--json', ...args], env)
  const { checks } = JSON.parse(stdout) as { checks: Check[] }
  return checks.flatMap(({ name, state, text }) => (name === 'ledger' ? [[state, text]] : []))
}

describe('the ledger, by terce doctor', () => {
  it('has its closed days counted and their hashes checked', async () => {
    await keepDays(2)
    const text = `3 days closed, the last ${daysAgo(2)}; the hashes are right; nothing unexplained.`
    expect(await examine()).toEqual([['ok', text]])
  })

  it('says that of many closed days the last 14 are checked', async () => {
    const days = Array.from({ length: 16 }, (_, i) => [daysAgo(17 - i), []])
    await keepLedger(database.path, Object.fromEntries(days))
    const text = `16 days closed, the last ${daysAgo(2)}; the hashes are right in the last 14; nothing unexplained in the last 14.`
    expect(await examine()).toEqual([['ok', text]])
  })

  it('has no checked hashes on a server', async () => {
    await keepDays(2)
    const checks = await examine(['--url', await start('admin'), '--key', KEY], {})
    expect(checks).toEqual([['ok', `3 days closed, the last ${daysAgo(2)}; nothing unexplained.`]])
  })

  it('is late if a day that ended more than 12 hours ago is not closed, which is named', async () => {
    await keepDays(4)
    const isAfternoon = new Date().getUTCHours() >= 12
    const more = isAfternoon ? 'are the 2 days' : 'is the day'
    const text = `${daysAgo(3)} is not closed, nor ${more} after it. It had ended in every timezone at ${daysAgo(2)}T12:00Z.`
    expect(await examine()).toEqual([['warn', text]])
  })

  it('is late if the first day of all is not closed, also beside a row of a day to come', async () => {
    await keepLedger(database.path, { [daysAgo(2)]: ['delivered'] }, 0)
    const db = new DatabaseSync(database.path)
    db.exec(`INSERT INTO ledger_days (day, started_at, closed_at, hash) VALUES ('2999-01-01', 0, 0, '')`)
    db.close()
    expect(await examine(['--url', await start('admin'), '--key', KEY], {})).toEqual([
      ['warn', expect.stringContaining(`${daysAgo(2)} is not closed`)],
    ])
  })

  it('fails for a message that is unexplained', async () => {
    await keepDays(2, 'lost')
    expect(await examine()).toEqual([['fail', `${daysAgo(2)}: 1 unexplained.`]])
  })

  it('fails once for several days with unexplained messages, and names the newest', async () => {
    await keepLedger(database.path, { [daysAgo(3)]: ['lost'], [daysAgo(2)]: ['delivered'] })
    const text = `2 of the last 14 days have unexplained or surplus messages. ${daysAgo(2)}: 1 unexplained.`
    expect(await examine()).toEqual([['fail', text]])
  })

  it('fails for a day that was altered after it was closed', async () => {
    await keepDays(2)
    const db = new DatabaseSync(database.path)
    db.prepare('UPDATE ledger_days SET people = people + 1 WHERE day = ?').run(daysAgo(2))
    db.close()
    expect(await examine()).toEqual([['fail', `The account of ${daysAgo(2)} does not have its hash.`]])
  })
})
