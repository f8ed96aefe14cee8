// A Node process with a SQLite file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home } from '../scenario-steps.ts'
import { openProcess } from './process.ts'

export async function openNodeSqlite(env: Record<string, string>): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'terce-'))
  const database = { DATABASE_URL: `sqlite:${join(folder, 'terce.db')}` }
  return openProcess({ ...env, ...database }, () => rm(folder, { recursive: true }))
}
