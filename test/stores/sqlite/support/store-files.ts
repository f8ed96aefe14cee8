// Stores on real SQLite files, for the contract: each test gets a copy of a migrated file.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../../../src/ports/store.ts'
import { openSqliteStore } from '../../../../src/stores/sqlite/sqlite-store.ts'
import type { StoreUnderTest } from '../../../contracts/store.contract.ts'
import { memoryFolder } from '../../../support/memory-folder.ts'
import type { spawnClaimer } from '../../support/spawn-claimer.ts'

export type StoreFiles = {
  open(file: string): Promise<Store>
  prefix?: string
  /** Writes what is in the file before Terce migrates it. */
  fill?(file: string): void
  /** For a contract with processes. An argument, because a unit test imports nothing that starts one. */
  spawnClaimer?: typeof spawnClaimer
}

export function useStoreFiles({
  open,
  prefix = '',
  fill,
  spawnClaimer,
}: StoreFiles): () => Promise<StoreUnderTest> {
  let folder: string
  let files = 0
  /** Migrated once: a copy comes in a tenth of the time. */
  const migrated = () => join(folder, 'migrated.db')
  beforeAll(async () => {
    folder = await mkdtemp(join(memoryFolder(), 'terce-'))
    fill?.(migrated())
    await openSqliteStore(migrated(), prefix).close()
  })
  afterAll(() => rm(folder, { recursive: true }))

  return async () => {
    files += 1
    const file = join(folder, `${files}.db`)
    await copyFile(migrated(), file)
    const opened: Store[] = []
    const another = async () => {
      const store = await open(file)
      opened.push(store)
      return store
    }
    return {
      store: await another(),
      another,
      ...(spawnClaimer && { spawnClaimer: (claim) => spawnClaimer(file, claim, prefix) }),
      async deleteRow(table: string, id: string) {
        const db = new DatabaseSync(file)
        db.prepare(`DELETE FROM ${prefix}${table} WHERE id = ?`).run(id)
        db.close()
      },
      async cleanup() {
        for (const store of opened) await store.close()
        await rm(file)
      },
    }
  }
}
