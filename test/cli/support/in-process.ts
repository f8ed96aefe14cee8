// Runs a command inside the test process and captures its output. A child process would take a second each time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { afterEach, beforeEach, vi } from 'vitest'
import type { AddCommand } from '../../../src/cli/entry.ts'
import { ConfigError } from '../../../src/runtimes/config/config.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import type { Ran } from './run-command.ts'

export type Database = {
  /** Each test has a new folder. Commands run in it. */
  folder: string
  /** The database file of the folder. */
  path: string
  write(name: string, content: string): void
  terce(args: string[], env?: Record<string, string>): Promise<Ran>
  /** Opens it until the end of the test. */
  open(): ReturnType<typeof openSqliteStore>
}

export function useDatabase(...commands: AddCommand[]): Database {
  const database = { folder: '', path: '' }
  beforeEach(() => {
    database.folder = mkdtempSync(join(tmpdir(), 'terce-cli-'))
    database.path = join(database.folder, 'terce.db')
  })
  const stores: ReturnType<typeof openSqliteStore>[] = []
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    rmSync(database.folder, { recursive: true })
  })
  return Object.assign(database, {
    write: (name: string, content: string) => writeFileSync(join(database.folder, name), content),
    open() {
      const store = openSqliteStore(database.path)
      stores.push(store)
      return store
    },
    terce: (args: string[], env: Record<string, string> = { DATABASE_URL: `sqlite:${database.path}` }) =>
      run(commands, args, { cwd: database.folder, env }),
  })
}

async function run(
  commands: AddCommand[],
  args: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  const printed = { stdout: '', stderr: '' }
  const program = new Command('terce').exitOverride().configureOutput({
    writeOut: (text) => (printed.stdout += text),
    writeErr: (text) => (printed.stderr += text),
    // As terce.ts prints the errors of commander.
    outputError: (text, write) =>
      write(
        `${text
          .trim()
          .replace(/^error:/, 'terce:')
          .replaceAll('\n', ' ')}\n`,
      ),
  })
  for (const add of commands) add(program, { env, now: Date.now() })
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text) => {
      printed.stdout += `${text}\n`
    }),
    vi.spyOn(console, 'error').mockImplementation((text) => {
      printed.stderr += `${text}\n`
    }),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.stdout += text
      return true
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      printed.stderr += text
      return true
    }),
  ]
  const before = process.cwd()
  process.chdir(cwd)
  try {
    await program.parseAsync(['node', 'terce', ...args])
    return { code: 0, ...printed }
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, ...printed }
    const stderr = `${printed.stderr}terce: ${(error as Error).message}\n`
    return { code: error instanceof ConfigError ? 2 : 1, stdout: printed.stdout, stderr }
  } finally {
    process.chdir(before)
    for (const spy of spies) spy.mockRestore()
  }
}
