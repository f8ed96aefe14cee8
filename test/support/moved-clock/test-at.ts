// npm run test:at: runs tests as if they were started at another instant.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseInstant } from '../../../src/domain/time/timestamp.ts'
import { movedClock } from './moved-clock.ts'

const HELP = `npm run test:at -- INSTANT [arguments of vitest run]
  Runs tests with the wall clock at INSTANT, such as 2028-02-29T12:30:00Z. From there the clock goes on.

  The clock moves for every process of the run: Node, PostgreSQL, Chromium, workerd. Times of files stay true.
  Needs Linux and a C compiler (cc).

  npm run test:at -- 2028-02-29T12:30:00Z test/web

Exits as vitest does, with 2 on bad usage.
`

process.exitCode = await main(process.argv.slice(2))

async function main([text = '', ...args]: string[]): Promise<number> {
  if (text === '--help') {
    process.stdout.write(HELP)
    return 0
  }
  const instant = parseInstant(text)
  if (instant === null) return usageError(`"${text}" is not an instant such as 2028-02-29T12:30:00Z.`)
  if (process.platform !== 'linux') return usageError('The clock of a process is moved on Linux only.')
  const folder = mkdtempSync(join(tmpdir(), 'terce-moved-clock-'))
  try {
    const clock = movedClock(instant, folder)
    if (clock === null) return usageError('A C compiler is missing (cc; on Debian the package gcc).')
    return await runTests(args, clock)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function usageError(message: string): number {
  process.stderr.write(`${message} See --help.\n`)
  return 2
}

async function runTests(args: string[], clock: Record<string, string>): Promise<number> {
  const vitest = createRequire(import.meta.url).resolve('vitest/package.json')
  const command = join(vitest, '../vitest.mjs')
  const env = { ...process.env, ...clock }
  const run = spawn(process.execPath, [command, 'run', ...args], { env, stdio: 'inherit' })
  // The library is removed when the tests have ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal))
  const [code] = await once(run, 'exit')
  return code ?? 1
}
