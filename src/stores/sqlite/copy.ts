// A SQLite file as the source or the target of a copy. A target has another name until the copy is complete.
import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { CopiedTable, CopyRow, CopySource, CopyTarget } from '../../ports/copy.ts'
import { copiedTables, IS_CLAIM, SUM_MODULUS } from '../shared/copy.ts'
import { openConnection } from './connection.ts'
import { readFrozenText } from './frozen.ts'
import { BUSY_TIMEOUT_MS, beginImmediate } from './lock.ts'
import { type Naming, namingFor } from './names.ts'
import { openSqlite } from './node-sqlite.ts'

const PAGE_ROWS = 1_000
/** Bodies may have 64 KiB. */
const PAGE_CHARS = 1_000_000

type File = { path: string; prefix: string }

/** Applies no migration. */
export function openSqliteSource({ path, prefix }: File): CopySource {
  const db = openSqlite(path)
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -16384`)
  return sideOn(db, namingFor(prefix), prefix)
}

/** Creates the file under the name of the copy, or opens what an interrupted copy left there. */
export function openSqliteTarget({ path, prefix }: File, copyId: string): CopyTarget {
  const draft = `${path}.copy-${copyId}`
  openConnection(draft, prefix).close()
  const db = openSqlite(draft)
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -32768')
  const named = namingFor(prefix)
  const side = sideOn(db, named, prefix)
  let isFinished = false
  return {
    ...side,
    close: async () => {
      if (!isFinished) db.close()
    },
    prepare: async () => {},
    async write(table, rows) {
      const { table: stored, derived } = table.inSqlite
      const names = table.columns.map(({ name }) => name)
      const values = Object.values(derived).map((value) => `, ${value}`)
      const statement = db.prepare(
        named(`INSERT INTO ${stored} (${[...names, ...Object.keys(derived)].join(', ')})
          SELECT *${values.join('')} FROM (SELECT ${names.map((name) => `? AS ${name}`).join(', ')})`),
      )
      inTransaction(db, () => {
        for (const row of rows) statement.run(...row)
      })
    },
    async setLastNumber({ inSqlite: { table } }, number) {
      db.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(named(table))
      db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(named(table), number)
    },
    async finish() {
      // The last connection to close moves the WAL into the file and deletes it.
      db.close()
      syncFile(draft)
      renameSync(draft, path)
      isFinished = true
    },
  }
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  beginImmediate(db)
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function sideOn(db: DatabaseSync, named: Naming, prefix: string): CopySource {
  const tables = copiedTables()
  const all = (sql: string, ...values: SQLInputValue[]): CopyRow[] => {
    const statement = db.prepare(named(sql))
    statement.setReturnArrays(true)
    return statement.all(...values) as unknown as CopyRow[]
  }
  const from = ({ inSqlite: { table, where } }: CopiedTable) => `FROM ${table} WHERE ${where}`

  return {
    tables,
    async missingColumns() {
      const columnsOf = (table: string) =>
        new Set(all('SELECT name FROM pragma_table_info(?)', named(table)).flat())
      return tables.flatMap(({ columns, inSqlite: { table } }) => {
        const present = columnsOf(table)
        return columns.filter(({ name }) => !present.has(name)).map(({ name }) => `${table}.${name}`)
      })
    },
    ...freezing(db, named, prefix, tables),
    countLeased: async (now) =>
      all('SELECT count(*) FROM events WHERE wake_at <= ?1 AND lease_until > ?1', now)[0]![0] as number,
    leftBehind: async () => null,
    async bytes() {
      const [[pages], [size]] = [all('PRAGMA page_count')[0]!, all('PRAGMA page_size')[0]!]
      return (pages as number) * (size as number)
    },
    async sums(table) {
      const sums = table.columns.map(({ name, isNumber }) =>
        isNumber ? `total(${name} % ${SUM_MODULUS})` : `total(length(${name}))`,
      )
      return all(`SELECT count(*), ${sums.join(', ')} ${from(table)}`)[0] as number[]
    },
    count: async (table) => all(`SELECT count(*) ${from(table)}`)[0]![0] as number,
    async read(table, start) {
      // Before the page: meanwhile the page before is sent.
      await setImmediate()
      const after = 'after' in start ? table.key.map((name) => start.after[indexOf(table, name)]!) : []
      const condition =
        after.length === 0 ? '' : `AND (${table.key.join(', ')}) > (${after.map(() => '?').join(', ')})`
      const statement = db.prepare(
        named(`SELECT ${table.columns.map(({ name }) => name).join(', ')} ${from(table)} ${condition}
          ORDER BY ${table.key.join(', ')} LIMIT +? OFFSET +?`),
      )
      statement.setReturnArrays(true)
      const rows: CopyRow[] = []
      let chars = 0
      const skipped = 'skip' in start ? start.skip : 0
      for (const row of statement.iterate(
        ...after,
        PAGE_ROWS,
        skipped,
      ) as Iterable<unknown> as Iterable<CopyRow>) {
        rows.push(row)
        for (const cell of row) if (typeof cell === 'string') chars += cell.length
        if (chars > PAGE_CHARS) break
      }
      return rows
    },
    async lastNumber({ inSqlite: { table } }) {
      return (all('SELECT seq FROM sqlite_sequence WHERE name = ?', named(table))[0]?.[0] ?? 0) as number
    },
    close: async () => db.close(),
  }
}

type Freezing = Pick<CopySource, 'frozenText' | 'freezeClaims' | 'freeze' | 'unfreeze'>

/** Triggers, which exist only while the file is frozen. */
function freezing(db: DatabaseSync, named: Naming, prefix: string, tables: readonly CopiedTable[]): Freezing {
  const frozen = `${prefix}frozen_`
  function create(name: string, when: string, text: string): void {
    const raise = `RAISE(ABORT, '${text.replaceAll("'", "''")}')`
    db.exec(`DROP TRIGGER IF EXISTS ${frozen}${name};
      CREATE TRIGGER ${frozen}${name} ${when} BEGIN SELECT ${raise}; END`)
  }
  return {
    frozenText: async () => readFrozenText(db, prefix),
    freezeClaims: async (text) =>
      inTransaction(db, () =>
        create('claims', `BEFORE UPDATE OF lease_until ON ${named('events')} WHEN ${IS_CLAIM}`, text),
      ),
    freeze: async (text) =>
      inTransaction(db, () => {
        for (const table of new Set(tables.map(({ inSqlite }) => inSqlite.table)))
          for (const act of ['insert', 'update', 'delete'])
            create(`${table}_${act}`, `BEFORE ${act} ON ${named(table)}`, text)
      }),
    unfreeze: async () =>
      inTransaction(db, () => {
        const triggers = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?`)
        for (const { name } of triggers.all(`${frozen}*`)) db.exec(`DROP TRIGGER ${name}`)
      }),
  }
}

const indexOf = ({ columns }: CopiedTable, name: string) =>
  columns.findIndex((column) => column.name === name)

/** The pages were written without waiting for the disk. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
