// Reads the channels and templates of the registry, and writes them into a shard.
import type { ObjectContext, Snapshot } from './object.ts'

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
  return { version: versionOf(storage), channels, templates } as Snapshot
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
