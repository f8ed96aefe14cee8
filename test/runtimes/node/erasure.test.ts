// A running process removes a deleted person from the files of its SQLite database and from its inbox.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../support/until.ts'
import { startTerce, type TerceProcess } from '../support/terce-process.ts'

const PERSON = {
  firstName: 'Wilhelmina',
  lastName: 'Skagerrak',
  dateOfBirth: '1987-06-03',
  timezone: 'UTC',
  email: 'mina@oedegaard.example',
  externalId: 'crm-zq-5512',
}
const TRACES = ['Wilhelmina', 'Skagerrak', 'mina@oedegaard.example', 'crm-zq-5512', 'Varnish', '1987-06-03']

let folder: string
let terce: TerceProcess
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terce-erasure-'))
  terce = await startTerce({ DATABASE_URL: `sqlite:${join(folder, 'terce.db')}` })
})
afterEach(async () => {
  await terce.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${terce.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

const inbox = () => call('GET', '/inbox')

/** Each file beside the database with the traces it contains, such as `terce.db-wal: Skagerrak`. */
function tracesInFiles(traces: readonly string[]): string[] {
  return readdirSync(folder).flatMap((name) => {
    const bytes = readFileSync(join(folder, name))
    return traces.filter((trace) => bytes.includes(trace)).map((trace) => `${name}: ${trace}`)
  })
}

/** Creates the person, changes them and waits until a message about them is in the inbox. Returns all traces. */
async function createGreeted(): Promise<{ id: string; traces: string[] }> {
  const { user } = JSON.parse(await call('POST', '/user', PERSON))
  await call('PUT', `/user/${user.id}`, { email: 'mina@oedegaard.example', lastName: 'Skagerrak-Xu' })
  const dueAt = new Date(Date.now() + 2 * 60 * 60 * 1000).toISOString()
  const task = { userId: user.id, title: 'Varnish the dinghy', dueAt }
  const { id } = JSON.parse(await call('POST', '/task', task))
  await until('the reminder is in the inbox', inbox, (text) => text.includes('Varnish'))
  // The id of the person stays in the audit log, as evidence of the erasure.
  return { id: user.id, traces: [...TRACES, id] }
}

describe('a running process', () => {
  it('removes a deleted person from the database file, the WAL and its inbox', async () => {
    const { id, traces } = await createGreeted()
    const before = tracesInFiles(traces)
    expect(new Set(before.map((line) => line.split(': ')[1]))).toEqual(new Set(traces))
    await call('DELETE', `/user/${id}`)
    const kept = await inbox()
    expect(traces.filter((trace) => kept.includes(trace))).toEqual([])
    await until(
      'no file contains the person',
      () => tracesInFiles(traces),
      (found) => found.length === 0,
    )
  })

  it('removes a deleted person from the WAL once a reader that holds it ends', async () => {
    const { id, traces } = await createGreeted()
    const reader = new DatabaseSync(join(folder, 'terce.db'))
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM users').get()
    await call('DELETE', `/user/${id}`)
    // Writes go on while the reader keeps the WAL.
    await call('POST', '/user', { ...PERSON, externalId: 'other', firstName: 'Ada', lastName: 'Lovelace' })
    expect(tracesInFiles(traces)).not.toEqual([])
    reader.exec('COMMIT')
    reader.close()
    const gone = traces.filter((trace) => !['1987-06-03', 'mina@oedegaard.example'].includes(trace))
    await until(
      'no file contains the person',
      () => tracesInFiles(gone),
      (found) => found.length === 0,
    )
  })

  it('creates its database files for its own user alone', async () => {
    await createGreeted()
    const modes = readdirSync(folder).map((name) => [
      name,
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    ])
    expect(Object.fromEntries(modes)).toEqual({
      'terce.db': '600',
      'terce.db-wal': '600',
      'terce.db-shm': '600',
      'terce.db.key': '600',
    })
  })
})
