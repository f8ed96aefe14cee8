// Starts Terce in child processes, in any role. The caller ends each process it starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { fromBundle } from '../../../support/bundle/bundle.ts'

const COMMAND = fileURLToPath(new URL('../../../../bin/terce.js', import.meta.url))

export type Terce = {
  /** Empty for a worker, which serves nothing. */
  url: string
  /** All that was printed so far. */
  output(): string
  /** Whether it still runs. */
  alive(): boolean
  /** Sends a signal and does not wait for what comes of it. */
  signal(signal: NodeJS.Signals): void
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Role = 'all' | 'api' | 'worker'

/** Resolves when its banner says that it runs. */
export async function startTerce(role: Role, env: Record<string, string>): Promise<Terce> {
  const { child, output } = spawnTerce([role], { PORT: '0', ...env })
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', () => {
      if (output().includes('  delivery ')) resolve()
    })
    exited.then(() => reject(new Error(`Terce stopped at once:\n${output()}`)))
  })
  return {
    url: /listens on (\S+)/.exec(output())?.[1] ?? '',
    output,
    alive: () => child.exitCode === null && child.signalCode === null,
    signal: (signal) => void child.kill(signal),
    end: async (signal) => {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

/** Runs a command to its end. */
export async function runTerce(args: string[], env: Record<string, string>) {
  const { child, output } = spawnTerce(args, env)
  const [code] = await once(child, 'close')
  return { code: code as number | null, output: output() }
}

function spawnTerce(args: string[], env: Record<string, string>) {
  const { PATH } = process.env
  const child = spawn(process.execPath, [...fromBundle(), COMMAND, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  return { child, output: () => printed }
}

/** The log lines that say this, parsed. */
export function linesSaying(terce: Terce, text: string): Record<string, unknown>[] {
  const lines = terce.output().split('\n')
  return lines.filter((line) => line.startsWith('{') && line.includes(text)).map((line) => JSON.parse(line))
}
