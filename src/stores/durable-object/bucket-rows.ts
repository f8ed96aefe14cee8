// All rows of the people of one bucket. When a shard is split, they leave it, and arrive in the new shard, in one transaction.
import type { Bucket } from '../../domain/events/bucket.ts'
import type { Row } from '../sqlite-dialect/executor.ts'
import { jsonParts, jsonTable } from '../sqlite-dialect/json-rows.ts'
import type { ObjectStorage } from './storage.ts'

/** Rows of one table, as a JSON array of arrays. */
export type RowsPart = { table: string; columns: readonly string[]; json: string }

const PEOPLE = 'SELECT id FROM users WHERE substr(id, -4) = ?1'
const OCCASIONS = `SELECT id FROM occasions WHERE user_id IN (${PEOPLE})`
const EVENTS = `SELECT id FROM events WHERE occasion_id IN (${OCCASIONS})`
const RESPONSES = `SELECT response_key FROM response_users WHERE user_id IN (${PEOPLE})`

/** The rows of each table that belong to the bucket ?1. A table comes after the tables that its rows refer to. */
const ROWS_OF_BUCKET = {
  users: 'substr(id, -4) = ?1',
  occasions: `user_id IN (${PEOPLE})`,
  tasks: `user_id IN (${PEOPLE})`,
  events: `occasion_id IN (${OCCASIONS})`,
  payloads: `event_id IN (${EVENTS})`,
  attempts: `event_id IN (${EVENTS})`,
  moves: `occasion_id IN (${OCCASIONS})`,
  journal: `user_id IN (${PEOPLE}) OR occasion_id IN (${OCCASIONS})`,
  ledger_lines: `occasion_id IN (${OCCASIONS})`,
  ledger_occasions: `occasion_id IN (${OCCASIONS})`,
  feeds: `user_id IN (${PEOPLE})`,
  responses: `key IN (${RESPONSES})`,
  response_users: `user_id IN (${PEOPLE})`,
}

export const TABLES_OF_PEOPLE: readonly string[] = Object.keys(ROWS_OF_BUCKET)

/** Finds the people of a bucket. Only a shard that is split needs it. */
export function createBucketIndex({ sql }: ObjectStorage): void {
  sql.exec('CREATE INDEX IF NOT EXISTS users_by_bucket ON users (substr(id, -4))')
}

export function removeBucketIndex({ sql }: ObjectStorage): void {
  sql.exec('DROP INDEX IF EXISTS users_by_bucket')
}

/** The first bucket that has people, from this one on; null if there is none. */
export function findBucket({ sql }: ObjectStorage, from: Bucket): Bucket | null {
  const found = sql
    .exec('SELECT substr(id, -4) FROM users WHERE substr(id, -4) >= ? ORDER BY substr(id, -4) LIMIT 1', from)
    .raw()
    .toArray()
  return (found[0]?.[0] as Bucket | undefined) ?? null
}

export function readBucket({ sql }: ObjectStorage, bucket: Bucket): RowsPart[] {
  return Object.entries(ROWS_OF_BUCKET).flatMap(([table, ofBucket]) => {
    const names = sql.exec('SELECT name FROM pragma_table_info(?)', table).raw().toArray()
    const columns = names.map(([name]) => name as string)
    const rows = sql.exec(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${ofBucket}`, bucket)
    return jsonParts(rows.raw().toArray() as Row[]).map((json) => ({ table, columns, json }))
  })
}

/** Call it in a transaction. A stored response stays if people of another bucket are in it too. */
export function deleteBucket({ sql }: ObjectStorage, bucket: Bucket): void {
  const keys = JSON.stringify(sql.exec(RESPONSES, bucket).raw().toArray().flat())
  for (const table of TABLES_OF_PEOPLE.toReversed())
    if (table !== 'responses')
      sql.exec(`DELETE FROM ${table} WHERE ${ROWS_OF_BUCKET[table as 'users']}`, bucket)
  sql.exec(
    `DELETE FROM responses WHERE key IN (SELECT value FROM json_each(?))
      AND key NOT IN (SELECT response_key FROM response_users)`,
    keys,
  )
}

/** Keeps parts of a bucket beside the tables, where nothing reads them. The first part replaces those of an earlier try. */
export function storeArrival(
  { sql }: ObjectStorage,
  bucket: Bucket,
  first: number,
  parts: readonly RowsPart[],
): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS arrivals (bucket TEXT, number INTEGER, name TEXT, columns TEXT, json TEXT,
    PRIMARY KEY (bucket, number))`)
  sql.exec('DELETE FROM arrivals WHERE bucket = ? AND number >= ?', bucket, first)
  for (const [i, { table, columns, json }] of parts.entries())
    sql.exec('INSERT INTO arrivals VALUES (?, ?, ?, ?, ?)', bucket, first + i, table, columns.join(), json)
}

/** Journal entries of a shard that a doubling adds have numbers above those of the shards before it. */
const NUMBERS_OF_DOUBLING = 2 ** 36

/**
 * Inserts the rows that arrived in a shard of `shards`. Does nothing if they were inserted before. Call it in a transaction.
 */
export function insertArrival({ sql }: ObjectStorage, bucket: Bucket, shards: number): void {
  renumberJournal(sql, Math.log2(shards) * NUMBERS_OF_DOUBLING)
  const parts = sql
    .exec('SELECT name, columns, json FROM arrivals WHERE bucket = ? ORDER BY number', bucket)
    .raw()
    .toArray() as [string, string, string][]
  for (const [table, columns, json] of parts) {
    const rows = jsonTable(columns.split(','))
    // A response is in both shards if people of both are in it.
    sql.exec(`INSERT OR IGNORE INTO ${table} (${columns}) SELECT ${columns} FROM ${rows}`, json)
  }
  sql.exec('DELETE FROM arrivals WHERE bucket = ?', bucket)
}

/**
 * Moves the shard's own entries and its sequence above `first`: the other shard has used the numbers below, and uses further ones
 * for buckets that arrive later. The own entries of a shard without people are about timezones, and no line names them.
 */
function renumberJournal(sql: ObjectStorage['sql'], first: number): void {
  sql.exec(
    'UPDATE journal SET number = number + ?1 WHERE number < ?1 AND user_id IS NULL AND occasion_id IS NULL',
    first,
  )
  sql.exec(`INSERT INTO journal (number, at, kind, details) VALUES (?, 0, '', '')`, first)
  sql.exec('DELETE FROM journal WHERE number = ?', first)
}
