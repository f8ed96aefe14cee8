// The start and the stop of a Terce in the process of an application.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { assemble } from '../../src/library/assemble.ts'
import { onFile } from '../../src/library/own-transactions.ts'
import { SETTING_NAMES } from '../../src/library/setting-names.ts'
import { createTerce } from '../../src/library/terce.ts'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { openDatabase } from '../../src/runtimes/node/database.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Counts how often each part is started and stopped. */
function createCounted() {
  const folder = mkdtempSync(join(tmpdir(), 'terce-assemble-'))
  folders.push(folder)
  const path = join(folder, 'app.db')
  const config = readConfig({ DATABASE_URL: `sqlite:${path}`, DATABASE_SCHEMA: 'terce', LOG_LEVEL: 'silent' })
  const counts = { started: 0, stopped: 0, closed: 0 }
  const terce = assemble({
    config,
    schema: 'terce',
    open: () => openDatabase(config.database, () => {}, { attempts: 1 }),
    handlers: {
      connect: async () => ({
        transactions: onFile(path),
        concurrency: 1,
        close: async () => void counts.closed++,
      }),
      timeoutMs: 1_000,
    },
    dice: Math.random,
    deliver: async () => {
      counts.started++
      return { wake() {}, stop: async () => void counts.stopped++ }
    },
  })
  return { terce, counts }
}

describe('A Terce in the process of an application', () => {
  it('starts one engine and stops everything once, however often start and stop are called', async () => {
    const { terce, counts } = createCounted()
    await Promise.all([terce.start(), terce.start()])
    await terce.start()
    await Promise.all([terce.stop(), terce.stop()])
    await terce.stop()
    expect(counts).toEqual({ started: 1, stopped: 1, closed: 1 })
  }, 30_000)

  it('stops an engine that is starting', async () => {
    const { terce, counts } = createCounted()
    const starting = terce.start()
    await terce.stop()
    await starting
    expect(counts).toEqual({ started: 1, stopped: 1, closed: 1 })
  }, 30_000)

  it('rejects a handler after start() was called, which would miss events', async () => {
    const { terce } = createCounted()
    const starting = terce.start()
    expect(() => terce.on('BIRTHDAY', () => {})).toThrow('Register handlers before start()')
    await starting
    await terce.stop()
  }, 30_000)

  it('rejects a second handler of a type, unless it replaces the first', () => {
    const { terce } = createCounted()
    terce.on('BIRTHDAY', () => {})
    expect(() => terce.on('BIRTHDAY', () => {})).toThrow('BIRTHDAY has a handler already.')
    terce.on('BIRTHDAY', () => {}, { replace: true })
  })

  it('has every call of the client by its name', async () => {
    const { terce } = createCounted()
    const names = (calls: object) => Object.entries(calls).map(([name, part]) => [name, Object.keys(part)])
    const { users, occasions, tasks, events } = createClient({ url: 'http://localhost' })
    const { users: people, occasions: days, tasks: own, events: all } = terce
    expect(names({ users: people, occasions: days, tasks: own, events: all })).toEqual(
      names({ users, occasions, tasks, events }),
    )
    await terce.stop()
  })

  it('can be started again after its database could not be opened', async () => {
    const { terce, counts } = createCounted()
    const folder = folders.at(-1)!
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    writeFileSync(join(folder, 'app.db'), 'this is no database, and long enough to be read as one'.repeat(20))
    await expect(terce.start()).rejects.toThrow('Cannot use')
    rmSync(join(folder, 'app.db'))
    await terce.start()
    await terce.stop()
    expect(counts.started).toBe(1)
  }, 30_000)

  it('takes the settings of the server, without those of its options, and rejects any other name', () => {
    const names = readConfig({}).settings.map(({ name }) => name)
    const options = ['DATABASE_URL', 'DATABASE_SCHEMA']
    const ofServers = [
      ...['AUDIT_RETENTION', 'HEARTBEAT_URL', 'HOST', 'LOG_FORMAT'],
      ...['METRICS_KEY', 'METRICS_NAMESPACE', 'METRICS_PORT', 'PORT'],
    ]
    expect([...SETTING_NAMES, ...options, ...ofServers].sort()).toEqual(names.sort())
    const onPool = () => createTerce({ database: new pg.Pool(), settings: { DATABASE_CONNECTIONS: '4' } })
    expect(onPool).toThrow(
      'DATABASE_CONNECTIONS has no effect: the pool of the application has its own limit.',
    )
    // @ts-expect-error: a misspelt name.
    const misspelt = () => createTerce({ database: './app.db', settings: { DELIVER_ATT: '08:00' } })
    expect(misspelt).toThrow('There is no setting DELIVER_ATT')
  })

  it('has no database in memory, which each connection would have for itself', () => {
    for (const database of [':memory:', 'sqlite::memory:'])
      expect(() => createTerce({ database })).toThrow('createTestTerce of terce/testing')
  })
})
