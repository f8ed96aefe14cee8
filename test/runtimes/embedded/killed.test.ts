// An application that is killed while its handlers run: what they wrote is there exactly once for each event.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { createDuePeople } from '../../stores/postgres/support/due-people.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { seededDice } from '../../support/fixtures.ts'

const stage = useStage()
const APPLICATION = fileURLToPath(new URL('support/application.ts', import.meta.url))
const EVENTS = 200
const LEAST_KILLS = 5

let running: ChildProcess | null = null
afterEach(() => void running?.kill('SIGKILL'))

/** Starts the application and kills it after a moment, until nothing is due. Returns how often a running one was killed. */
async function killUntilDone(database: string, store: Store): Promise<number> {
  const dice = seededDice(17)
  for (let kills = 0; ; kills++) {
    const child = fork(APPLICATION, [database], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    running = child
    await once(child, 'message')
    const isLong = kills >= LEAST_KILLS
    for (let waited = 0; waited < (isLong ? 4_000 : 100 + 200 * dice()); waited += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (isLong && (await open(store)) === 0) break
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    if ((await open(store)) === 0) return kills + 1
  }
}

/** How many of the events that were due are not settled. */
async function open(store: Store): Promise<number> {
  const { items } = await store.listEvents({ limit: 1, cursor: null, status: 'PROCESSING' })
  return (await store.countOverdue(Date.now())).count + items.length
}

async function expectOnce(store: Store, effects: readonly string[]): Promise<void> {
  const { items } = await store.listEvents({ limit: 2 * EVENTS, cursor: null, status: 'COMPLETED' })
  expect(items).toHaveLength(EVENTS)
  expect([...effects].sort()).toEqual(items.map(({ id }) => id).sort())
}

it('keeps the effect of each handler once on PostgreSQL, however often the application is killed', async () => {
  const url = stage.database()
  const store = await stage.open()
  await query(url, 'CREATE TABLE effects (event_id text NOT NULL)')
  await createDuePeople(store, EVENTS)
  expect(await killUntilDone(url, store)).toBeGreaterThan(LEAST_KILLS)
  await expectOnce(
    store,
    (await query<{ event_id: string }>(url, 'SELECT event_id FROM effects')).map((row) => row.event_id),
  )
}, 120_000)

it('keeps the effect of each handler once on SQLite, however often the application is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-killed-'))
  const file = join(folder, 'app.db')
  const db = new DatabaseSync(file, { timeout: 5_000 })
  db.exec('CREATE TABLE effects (event_id text NOT NULL)')
  const store = openSqliteStore(file, 'terce_')
  try {
    await createDuePeople(store, EVENTS)
    expect(await killUntilDone(file, store)).toBeGreaterThan(LEAST_KILLS)
    const rows = db.prepare('SELECT event_id FROM effects').all()
    await expectOnce(
      store,
      rows.map(({ event_id }) => String(event_id)),
    )
  } finally {
    await store.close()
    db.close()
    rmSync(folder, { recursive: true })
  }
}, 120_000)
