// Runs the `terce` command in a child process and captures stdout and stderr.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { fromBundle } from '../../support/bundle/bundle.ts'

export const COMMAND = new URL('../../../bin/terce.js', import.meta.url).pathname

export type Ran = { code: number | null; stdout: string; stderr: string }

export type Folder = {
  path: string
  write(name: string, content: string | Uint8Array): void
  terce(args: string[], env?: Record<string, string>): Promise<Ran>
}

/** The command runs in a new folder for each test. */
export function useFolder(): Folder {
  const folder = { path: '' }
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'terce-cli-'))
  })
  afterEach(() => rmSync(folder.path, { recursive: true }))
  return Object.assign(folder, {
    write: (name: string, content: string | Uint8Array) => writeFileSync(join(folder.path, name), content),
    terce: (args: string[], env: Record<string, string> = {}) =>
      run(process.execPath, [...fromBundle(), COMMAND, ...args], { cwd: folder.path, env }),
  })
}

export async function run(
  command: string,
  args: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  const { PATH = '' } = process.env
  const child = spawn(command, args, { cwd, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => (stdout += data))
  child.stderr.on('data', (data) => (stderr += data))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}
