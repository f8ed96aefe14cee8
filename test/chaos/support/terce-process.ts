// One Terce process in any role, its output in a file. Whoever starts it ends it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../../bin/terce.js', import.meta.url))

export type TerceProcess = {
  alive(): boolean
  signal(signal: NodeJS.Signals): void
  /** Sends a signal and waits for the end; one that does not heed it in time is killed. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Resolves with the exit code, or null for one that was killed. */
  exited: Promise<number | null>
  /** The last line it wrote. */
  lastWords(): string
}

/** Sends under way get ten seconds from a worker that stops; nobody has to wait for much longer. */
const PATIENCE_MS = 20_000

export function spawnTerce(
  role: 'api' | 'worker',
  env: Record<string, string>,
  logFile: string,
): TerceProcess {
  const log = openSync(logFile, 'a')
  const { PATH } = process.env
  const child = spawn(process.execPath, [COMMAND, role], {
    env: { PATH, ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    alive: () => child.exitCode === null && child.signalCode === null,
    signal: (signal) => void child.kill(signal),
    end: async (signal) => {
      child.kill(signal)
      const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await exited
      clearTimeout(impatience)
    },
    exited,
    lastWords: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1) ?? '',
  }
}

/** Of a process that ended by itself: null if it said why, in one line, as the command does. */
export function unexplained(name: string, { lastWords }: TerceProcess): string | null {
  const words = lastWords()
  return words.startsWith('terce: ') ? null : `${name} ended by itself; its last words: ${words}`
}
