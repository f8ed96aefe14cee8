// Real processes under a moved clock: Node, its children with an environment of their own, and PostgreSQL.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { movedClock } from './moved-clock.ts'

const run = promisify(execFile)
const INSTANT = Date.parse('2028-02-29T23:30:00Z')
const MINUTE = 60_000

const folder = mkdtempSync(join(tmpdir(), 'terce-moved-clock-'))
afterAll(() => rmSync(folder, { recursive: true }))
const clock = process.platform === 'linux' ? movedClock(INSTANT, folder) : null

/** The instants that a script prints in a process under the moved clock. */
async function printed(script: string): Promise<number[]> {
  const env = { ...process.env, ...clock }
  const args = ['--input-type=module-typescript', '-e', script]
  const { stdout } = await run(process.execPath, args, { env, cwd: import.meta.dirname })
  return stdout
    .trim()
    .split('\n')
    .map((line) => Date.parse(line))
}

function expectMoved(instants: number[], count: number): void {
  expect(instants).toHaveLength(count)
  for (const instant of instants) {
    expect(instant).toBeGreaterThanOrEqual(INSTANT - 1000)
    expect(instant).toBeLessThan(INSTANT + 5 * MINUTE)
  }
}

describe('a moved clock', () => {
  beforeEach(({ skip }) => skip(clock === null, 'The clock is moved on Linux only, and with a C compiler.'))

  it('is the clock of Node, of SQLite and of a child with an empty environment', async () => {
    const instants = await printed(`
      import { execFileSync } from 'node:child_process'
      import { DatabaseSync } from 'node:sqlite'
      console.log(new Date().toISOString())
      console.log(new DatabaseSync(':memory:').prepare("SELECT datetime() || 'Z' AS now").get().now)
      const child = ['-e', 'console.log(new Date().toISOString())']
      process.stdout.write(execFileSync(process.execPath, child, { env: {} }))`)
    expectMoved(instants, 3)
  })

  it('is the clock of a PostgreSQL server', async () => {
    const instants = await printed(`
      import pg from 'pg'
      import { startPostgres } from '../postgres-server.ts'
      const server = await startPostgres({ fast: true })
      const client = new pg.Client(server.url('postgres'))
      await client.connect()
      const { rows } = await client.query('SELECT now()')
      console.log(rows[0].now.toISOString())
      await client.end()
      await server.stop()`)
    expectMoved(instants, 1)
  })

  it('goes on, and a timer takes its true time', async () => {
    const [before, after] = await printed(`
      console.log(new Date().toISOString())
      setTimeout(() => console.log(new Date().toISOString()), 1000)`)
    expect(after! - before!).toBeGreaterThanOrEqual(999)
    expect(after! - before!).toBeLessThan(MINUTE)
  })
})
