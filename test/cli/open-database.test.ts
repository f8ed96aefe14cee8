// A command whose database is missing, and one that needs PostgreSQL while it is down.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { addExplain } from '../../src/cli/commands/explain.ts'
import { addExport } from '../../src/cli/commands/export.ts'
import { addPrune } from '../../src/cli/commands/prune.ts'
import { addTimezones } from '../../src/cli/commands/tz.ts'
import { addKeys } from '../../src/cli/keys/keys.ts'
import { NO_ONE } from '../http/support/test-app.ts'
import { useDatabase } from './support/in-process.ts'
import { COMMAND } from './support/run-command.ts'

const database = useDatabase(addExplain, addExport, addKeys, addPrune, addTimezones)

it.each([`explain ${NO_ONE}`, 'export', 'keys list', 'prune --older-than 90d', 'tz'])(
  'terce %s says that there is no SQLite file, and creates none',
  async (line) => {
    const { code, stderr } = await database.terce(line.split(' '))
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/No database at .*terce\.db\. Set DATABASE_URL/),
    ])
    expect(existsSync(database.path)).toBe(false)
  },
)

it.each(['migrate', 'export'])(
  'terce %s prints each attempt to reach PostgreSQL, of how many, and when the next one is',
  async (command) => {
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [COMMAND, command], {
      env: { PATH, DATABASE_URL: 'postgres://user:secret@127.0.0.1:9/terce' },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    const exited = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited
    })
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
    const where = 'Waiting for postgres://127.0.0.1:9/terce'
    expect((await lines.next()).value).toBe(`${where}: attempt 1 of 5 failed, next in 1 s.`)
    expect((await lines.next()).value).toBe(`${where}: attempt 2 of 5 failed, next in 2 s.`)
  },
)

it.each([
  ['notes.txt', 'file is not a database. It is a file of something else. Change the path, or DATABASE_URL.'],
  ['notes.txt/terce.db', 'A part of the path is a file.'],
  ['folder', 'It is a folder, or this user may not open it.'],
  ['/sys/terce/terce.db', 'This user may not write there.'],
])('a database at %s, which cannot be one, is wrong usage, in words', async (path, text) => {
  database.write('notes.txt', 'Not a database. '.repeat(100))
  mkdirSync(join(database.folder, 'folder'))
  const env = { DATABASE_URL: `sqlite:${resolve(database.folder, path)}` }
  const { code, stderr } = await database.terce(
    ['keys', 'create', '--name', 'first', '--scope', 'admin'],
    env,
  )
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)])
})
