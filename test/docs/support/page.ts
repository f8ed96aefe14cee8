// Runs what a page of the documentation tells its reader to run.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTerce } from '../../runtimes/support/terce-process.ts'

const run = promisify(execFile)

export type Page = {
  text: string
  blocks(language: string): string[]
}

export function readPage(name: string): Page {
  const text = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
  return {
    text,
    blocks: (language) =>
      [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!),
  }
}

const standIn = new URL('curl.ts', import.meta.url).pathname
const orStandIn = `command -v curl > /dev/null || curl() { "${process.execPath}" "${standIn}" "$@"; }\n`

/** Runs commands against a Terce of their own, as a reader would in the folder of the project. */
export async function withShell(
  use: (shell: (commands: string) => Promise<string>, url: string) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-page-'))
  const terce = await startTerce({ DATABASE_URL: `sqlite:${join(folder, 'terce.db')}`, ...settings })
  const env = { ...process.env, DATABASE_URL: `sqlite:${join(folder, 'other.db')}` }
  const cwd = new URL('../../..', import.meta.url).pathname
  try {
    await use(async (commands) => {
      const script = orStandIn + commands.replaceAll('localhost:3000', terce.url)
      return (await run('bash', ['-euo', 'pipefail', '-c', script], { env, cwd })).stdout
    }, terce.url)
  } finally {
    await terce.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
