// Begins the account of a day in a shard.
import type { ObjectStorage } from './storage.ts'

/** Removes an account that was begun with other people, such as those of a bucket that has moved. Call it in a transaction. */
export function beginAccount({ sql }: ObjectStorage, day: string, startedAt: number): void {
  for (const table of ['ledger_lines', 'ledger_days']) sql.exec(`DELETE FROM ${table} WHERE day = ?`, day)
  sql.exec('INSERT INTO ledger_days (day, started_at) VALUES (?, ?)', day, startedAt)
}
