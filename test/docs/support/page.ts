// Reads a page of the documentation, and runs what it tells its reader to run.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND, run } from '../../cli/support/run-command.ts'
import { startTerce } from '../../runtimes/support/terce-process.ts'

export type Page = {
  text: string
  blocks(language: string): string[]
}

export function readPage(name: string): Page {
  const text = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
  return { text, blocks: (language) => blocksOf(text, language) }
}

export function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^ *\`\`\`${language}\n([\\s\\S]*?)^ *\`\`\``, 'gm'))].map(
    (match) => match[1]!,
  )
}

const standIn = new URL('curl.ts', import.meta.url).pathname

/** The arguments of bash for a script in which `node`, `npx`, `terce` and `curl` are those of this checkout. */
export function bashArgs(script: string): string[] {
  const commands = `node() { "${process.execPath}" "$@"; }; npx() { shift; node "${COMMAND}" "$@"; }
    terce() { node "${COMMAND}" "$@"; }; command -v curl > /dev/null || curl() { node "${standIn}" "$@"; }\n`
  return ['-euo', 'pipefail', '-c', commands + script.replaceAll('node bin/terce.js', 'terce')]
}

/** Runs commands in a folder as a reader would. Rejects if one of them fails. */
export async function runShell(script: string, cwd: string, env: Record<string, string> = {}) {
  const { PATH = '' } = process.env
  const { code, stdout, stderr } = await run('bash', bashArgs(script), { cwd, env: { PATH, ...env } })
  if (code !== 0) throw new Error(`${script}\n${stdout}${stderr}`)
  return stdout
}

/** A Terce of its own, and a shell in the folder of its database. */
export type Place = {
  url: string
  folder: string
  shell(commands: string): Promise<string>
  /** What Terce has printed. */
  output(): string
}

export async function withShell(
  use: (place: Place) => Promise<void>,
  { settings = {}, prepare = async () => {} }: Preparation = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-page-'))
  const file = join(folder, 'terce.db')
  await prepare(file)
  const DATABASE_URL = `sqlite:${file}`
  const { url, output, kill } = await startTerce({ DATABASE_URL, ...settings })
  const shell = (commands: string) =>
    runShell(commands.replaceAll(/(http:\/\/)?localhost:3000/g, url), folder, { DATABASE_URL })
  try {
    await use({ url, folder, shell, output })
  } finally {
    await kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

type Preparation = { settings?: Record<string, string>; prepare?: (file: string) => Promise<unknown> }

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
