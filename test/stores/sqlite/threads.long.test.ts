// The SQLite store in threads of its own: statements and rows travel as messages.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { openThreadedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { makePerson } from '../../support/fixtures.ts'
import { spawnClaimer } from '../support/spawn-claimer.ts'
import { useStoreFiles } from './support/store-files.ts'

const open = (file: string) =>
  openThreadedSqliteStore(file, systemClock, (error) => {
    throw error
  })

describeStoreContract('SQLite in threads of its own', useStoreFiles({ open, spawnClaimer }))

describe('a SQLite store in threads of its own', () => {
  it('acknowledges nothing after its file was replaced or deleted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'terce-'))
    const path = join(folder, 'terce.db')
    const store = await open(path)
    try {
      await store.createUsers([makePerson()])
      await writeFile(join(folder, 'copy.db'), '')
      await rename(join(folder, 'copy.db'), path)
      const reason = 'The file of the database was replaced or deleted: restart the process'
      await expect(store.check()).rejects.toThrow(reason)
      await expect(store.createUsers([makePerson()])).rejects.toThrow(reason)
      await expect(store.nextWakeAt()).rejects.toThrow(reason)
      await rm(path)
      await expect(store.check()).rejects.toThrow(StoreUnavailableError)
    } finally {
      await store.close()
      await rm(folder, { recursive: true })
    }
  })

  it('starts the thread for lists and counts at the first of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'terce-'))
    let threads = 0
    const count = () => {
      threads += 1
    }
    process.on('worker', count)
    try {
      const store = await open(join(folder, 'terce.db'))
      await store.createUsers([makePerson()])
      await store.nextWakeAt()
      expect(threads).toBe(2)
      const [first, second] = await Promise.all([store.countByTimezone(), store.countByTimezone()])
      expect(first).toEqual(second)
      expect(threads).toBe(3)
      await store.close()
      await expect(store.countByTimezone()).rejects.toThrow('closed')
    } finally {
      process.off('worker', count)
      await rm(folder, { recursive: true })
    }
  })
})
