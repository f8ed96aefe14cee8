// The settings that a shard has a copy of: channels and templates. The registry numbers each state of them.
import type { Value } from '../../../stores/sqlite-dialect/executor.ts'
import type { ObjectContext } from './object.ts'

type Rows = Record<string, Value>[]
export type Snapshot = { version: number; channels: Rows; templates: Rows }

const TABLES = ['channels', 'templates'] as const
const VERSION = 'settings-version'

type Storage = ObjectContext['storage']

/** 0 in a shard that never had settings. */
export function versionOf({ kv }: Storage): number {
  return kv.get<number>(VERSION) ?? 0
}

export function setVersion({ kv }: Storage, version: number): void {
  kv.put(VERSION, version)
}

export function readSnapshot(storage: Storage): Snapshot {
  const [channels, templates] = TABLES.map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray())
  return { version: versionOf(storage), channels: channels as Rows, templates: templates as Rows }
}

/** Replaces the settings. False, and nothing is written, if the shard has this version or a newer one. */
export function writeSnapshot(storage: Storage, snapshot: Snapshot): boolean {
  if (snapshot.version <= versionOf(storage)) return false
  storage.transactionSync(() => {
    for (const table of TABLES) {
      storage.sql.exec(`DELETE FROM ${table}`)
      for (const row of snapshot[table]) {
        const columns = Object.keys(row)
        const places = columns.map(() => '?').join(', ')
        storage.sql.exec(
          `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`,
          ...Object.values(row),
        )
      }
    }
    setVersion(storage, snapshot.version)
  })
  return true
}
