// One Terce process in any role, with its output in a file. Its caller must end it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'

export type TerceProcess = {
  alive(): boolean
  signal(signal: NodeJS.Signals): void
  /** Sends a signal and waits for the exit; kills the process after a timeout. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Resolves with the exit code, or null if the process was killed. */
  exited: Promise<number | null>
  /** The last line it wrote. */
  lastLine(): string
}

/** A worker that stops gives messages in flight ten seconds. */
const EXIT_WITHIN_MS = 20_000

/** `command` is the bin/terce.js of a release. */
export function spawnTerce(
  command: string,
  role: 'api' | 'worker',
  env: Record<string, string>,
  logFile: string,
): TerceProcess {
  const log = openSync(logFile, 'a')
  const { PATH } = process.env
  const child = spawn(process.execPath, [command, role], {
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
      const timeout = setTimeout(() => child.kill('SIGKILL'), EXIT_WITHIN_MS)
      await exited
      clearTimeout(timeout)
    },
    exited,
    lastLine: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1) ?? '',
  }
}

/** For a process that exited by itself: null if its last line gives the reason, as the command prints it. */
export function describeUnexplainedExit(name: string, { lastLine }: TerceProcess): string | null {
  const line = lastLine()
  return line.startsWith('terce: ') ? null : `${name} exited without a reason; its last line: ${line}`
}
