// Promises about docs/access.md: its commands work as written.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startTerce } from '../runtimes/support/terce-process.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const page = readFileSync(join(ROOT, 'docs/access.md'), 'utf8')
const run = promisify(execFile)

it('makes a key and calls with it, as written, and from then on nobody gets in without', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-security-'))
  const DATABASE_URL = `sqlite:${join(folder, 'terce.db')}`
  const terce = await startTerce({ DATABASE_URL })
  try {
    const [script] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!)
    const standIn = new URL('./support/curl.ts', import.meta.url).pathname
    const orStandIn = `command -v curl > /dev/null || curl() { "${process.execPath}" "${standIn}" "$@"; }\n`
    const text = orStandIn + script!.replaceAll('localhost:3000', terce.url)
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, DATABASE_URL },
    })
    expect(JSON.parse(stdout)).toEqual({ items: [], nextCursor: null })
    // Other processes look at the keys every five seconds.
    const status = async () => (await fetch(`${terce.url}/user`)).status
    while ((await status()) !== 401) await new Promise((resolve) => setTimeout(resolve, 200))
  } finally {
    await terce.kill('SIGTERM')
    rmSync(folder, { recursive: true })
  }
})
