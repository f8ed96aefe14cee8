// Several processes on one SQLite file: claims, a first start, and a kill.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { makePerson, T0 } from '../../support/fixtures.ts'
import { spawnClaimer } from '../support/spawn-claimer.ts'
import { useStoreFiles } from './support/store-files.ts'

const WRITER = fileURLToPath(new URL('../support/writer.ts', import.meta.url))

describeStoreContract(
  'SQLite',
  useStoreFiles({ open: async (file) => openSqliteStore(file), spawnClaimer }),
  {
    subset: 'processes',
  },
)

describe('a SQLite file', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'terce-'))
    file = join(folder, 'terce.db')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is set up once by three processes that open it at the same time', async () => {
    const claims = await Promise.all(
      Array.from({ length: 3 }, () => spawnClaimer(file, { now: T0, limit: 10 })),
    )
    expect(claims).toEqual([[], [], []])
    const store = openSqliteStore(file)
    expect(await store.createUsers([makePerson()])).toEqual({ kind: 'created', created: 1 })
    await store.close()
  })

  it('loses no acknowledged write to kill -9', async () => {
    const acknowledged = await writeUntilKilled(file, 300)
    expect(acknowledged.length).toBeGreaterThanOrEqual(300)
    const store = openSqliteStore(file)
    for (const id of acknowledged) {
      expect((await store.findUser(id))?.id).toBe(id)
      expect((await store.listEvents({ limit: 10, cursor: null, userId: id })).items).toHaveLength(1)
    }
    await store.close()
  })
})

/** Starts the writing process, kills it without warning after so many writes, and returns the acknowledged ids. */
function writeUntilKilled(file: string, writes: number): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, file])
  return new Promise((resolve, reject) => {
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (out.split('\n').length > writes) child.kill('SIGKILL')
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      // The last line may have been cut off in the middle.
      if (signal === 'SIGKILL') resolve(out.split('\n').slice(0, -1))
      else reject(new Error(`The writer ended by itself with ${code}: ${err}`))
    })
  })
}
