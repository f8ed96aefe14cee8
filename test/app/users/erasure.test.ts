// A deleted person leaves no trace in the database: in no row, and on SQLite in no byte of the file.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import type { Claim } from '../../../src/ports/claim.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { claimAt, retry } from '../../contracts/store/steps.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { DAY, makePeople, makePerson, seededDice, shuffled, T0 } from '../../support/fixtures.ts'
import { live } from './support/personal-traces.ts'

/** The traces that a text contains, in any letter case. */
function found(traces: readonly string[], text: string): string[] {
  const lower = text.toLowerCase()
  return traces.filter((trace) => lower.includes(trace.toLowerCase()))
}

/** A problem of the ledger with the plan of their birthday. */
function problemOf({ occasions, events }: NewPerson, schema: string, instant: string): string {
  return `INSERT INTO ${schema}ledger_problems (occasion_id, reason, event_id, due_at, expected_at, found_at, seen_at)
    VALUES ('${occasions[0]!.id}', 'MISPLANNED', '${events[0]!.id}', ${instant}, ${instant}, ${instant}, ${instant})`
}

describe('a SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-erasure-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** The database file with its WAL and other files beside it. */
  function bytes(name: string): string {
    const files = readdirSync(folder).filter((file) => file.startsWith(name))
    return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  }

  it('contains no byte of a deleted person, alone or among many', async () => {
    for (const others of [1, 400]) {
      const name = `terce-${others}.db`
      const store = openSqliteStore(join(folder, name))
      const { traces, erase } = await live(store, others)
      expect(found(traces, bytes(name)), 'all of it is there before').toEqual(traces)
      await erase()
      // Closing the last connection is a checkpoint: it moves the WAL into the file and deletes it.
      await store.close()
      expect(found(traces, bytes(name)), `among ${others} others`).toEqual([])
      expect(bytes(name)).toContain('Lovelace')
    }
  })

  it('erases the problems that the ledger found with them', async () => {
    for (const erase of ['deleteUser', 'removeOccasion'] as const) {
      const file = join(folder, `lines-${erase}.db`)
      const store = openSqliteStore(file)
      const person = makePerson()
      await store.createUsers([person])
      const db = new DatabaseSync(file)
      db.exec(problemOf(person, '', '1590966000000'))
      await store[erase](erase === 'deleteUser' ? person.user.id : person.occasions[0]!.id, T0)
      expect(db.prepare('SELECT * FROM ledger_problems').all()).toEqual([])
      db.close()
      await store.close()
    }
  })

  it('contains few copies of deleted rows after page splits, and none after VACUUM', async () => {
    const dice = seededDice(3)
    const people = makePeople(600, (index) => ({
      firstName: `N${index}`.padEnd(5 + Math.floor(dice() * 60), 'x'),
      email: `mail-${index}@example.com`,
      targetAt: T0 + Math.floor(dice() * 300) * DAY,
    }))
    const file = join(folder, 'split.db')
    const store = openSqliteStore(file)
    for (const person of shuffled(people, dice)) await store.createUsers([person])
    for (let day = 0; day < 300; day += 10) {
      const says = ({ user }: Claim) => user.firstName.padEnd(Math.floor(dice() * 500), 'y')
      const claims = await claimAt(store, T0 + day * DAY, { says })
      await store.settle(claims.map((claim) => retry(claim, T0 + (day + 40) * DAY)))
    }
    const gone = shuffled(people, dice).slice(0, 200)
    for (const { user } of gone) await store.deleteUser(user.id, T0)
    await store.close()
    const traces = gone.flatMap(({ user, occasions, events }) => [
      user.id,
      user.email!,
      occasions[0]!.id,
      events[0]!.id,
    ])
    expect(found(traces, bytes('split.db')).length, 'copies').toBeLessThan(traces.length / 100)
    const db = new DatabaseSync(file)
    db.exec('VACUUM')
    db.close()
    expect(found(traces, bytes('split.db'))).toEqual([])
  })
})

describe('a PostgreSQL database', () => {
  const stage = useStage()

  async function dump(url: string): Promise<string> {
    const tables = await query<{ name: string }>(
      url,
      `SELECT 'terce.' || quote_ident(table_name) AS name FROM information_schema.tables
        WHERE table_schema = 'terce' AND table_type = 'BASE TABLE'`,
    )
    const rows = tables.map(({ name }) =>
      query<{ row: string }>(url, `SELECT t::text AS row FROM ${name} AS t`),
    )
    return (await Promise.all(rows))
      .flat()
      .map(({ row }) => row)
      .join('\n')
  }

  it.each(['deleteUser', 'removeOccasion'] as const)(
    'erases the problems that the ledger found with them, by %s',
    async (erase) => {
      const url = stage.database()
      const store = await stage.open()
      const person = makePerson()
      await store.createUsers([person])
      await query(url, problemOf(person, 'terce.', `'2020-05-31T23:00:00Z'`))
      await store[erase](erase === 'deleteUser' ? person.user.id : person.occasions[0]!.id, T0)
      expect(await query(url, 'SELECT * FROM terce.ledger_problems')).toEqual([])
    },
  )

  it('contains no row about a deleted person', async () => {
    const url = stage.database()
    const store = await stage.open()
    const { traces, erase } = await live(store, 20)
    await query(
      url,
      `UPDATE terce.users SET external_id = 'crm-wilhelmina' WHERE first_name = 'Wilhelmina';
        SELECT terce.enqueue_user('{"externalId": "crm-wilhelmina", "nickname": "Mina of Chatham"}')`,
    )
    traces.push('crm-wilhelmina', 'Mina of Chatham')
    expect(found(traces, await dump(url)), 'all of it is there before').toEqual(traces)
    await erase()
    const after = await dump(url)
    expect(found(traces, after)).toEqual([])
    expect(after).toContain('Lovelace')
  })
})
