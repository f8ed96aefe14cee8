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

/** A line of a closed day and one of a day that is not closed, and the occasion that the account has seen. */
function linesOf({ occasions, events }: NewPerson, schema: string, instant: string): string {
  const [occasion, event] = [occasions[0]!.id, events[0]!.id]
  const line = (
    day: string,
  ) => `INSERT INTO ${schema}ledger_lines (day, number, place, reason, occasion_id, event_id,
      occurrence, due_at, expected_at, settled_at, attempt, entry, because, carried_from, rank)
    VALUES ('${day}', 1, 'delivered', NULL, '${occasion}', '${event}', '2020', ${instant}, ${instant}, ${instant}, 1,
      7, '${event}', '2020-05-30', 4);`
  return `INSERT INTO ${schema}ledger_days (day, started_at, closed_at) VALUES ('2020-05-31', ${instant}, ${instant}),
      ('2020-06-01', ${instant}, NULL);
    ${line('2020-05-31')} ${line('2020-06-01')}
    INSERT INTO ${schema}ledger_occasions VALUES ('${occasion}');`
}

const LINES = 'ledger_lines ORDER BY day'

/** What is left of the lines. */
const LEFT = {
  ...{ day: '2020-05-31', number: 1, place: 'delivered', reason: null },
  ...{
    occasion_id: null,
    event_id: null,
    occurrence: null,
    due_at: null,
    expected_at: null,
    settled_at: null,
  },
  ...{ attempt: null, entry: null, because: null, carried_from: '2020-05-30', rank: 7 },
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

  it('keeps lines of closed days, which no longer lead to a deleted person', async () => {
    for (const erase of ['deleteUser', 'removeOccasion'] as const) {
      const file = join(folder, `lines-${erase}.db`)
      const store = openSqliteStore(file)
      const person = makePerson()
      await store.createUsers([person])
      const db = new DatabaseSync(file)
      db.exec(linesOf(person, '', '1590966000000'))
      await store[erase](erase === 'deleteUser' ? person.user.id : person.occasions[0]!.id, T0)
      expect(db.prepare(`SELECT * FROM ${LINES}`).all()).toEqual([LEFT])
      expect(db.prepare('SELECT * FROM ledger_occasions').all()).toEqual([])
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
    'keeps lines of closed days, which no longer lead to a person after %s',
    async (erase) => {
      const url = stage.database()
      const store = await stage.open()
      const person = makePerson()
      await store.createUsers([person])
      await query(url, linesOf(person, 'terce.', `'2020-05-31T23:00:00Z'`))
      await store[erase](erase === 'deleteUser' ? person.user.id : person.occasions[0]!.id, T0)
      expect(await query(url, `SELECT * FROM terce.${LINES}`)).toEqual([LEFT])
      expect(await query(url, 'SELECT * FROM terce.ledger_occasions')).toEqual([])
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
