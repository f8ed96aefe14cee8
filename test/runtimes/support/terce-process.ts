// Starts Terce as a user would, in its own process, on a free port with a temporary database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fromBundle } from '../../support/bundle/bundle.ts'

const COMMAND = new URL('../../../bin/terce.js', import.meta.url).pathname

export type TerceProcess = {
  url: string
  pid: number
  /** All output so far. */
  output(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** Resolves when the banner has printed the address. */
export async function startTerce(
  env: Record<string, string>,
  args: string[] = [],
  nodeOptions: string[] = [],
): Promise<TerceProcess> {
  const { child, output } = spawnTerce({ PORT: '0', ...env }, args, nodeOptions)
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on('data', () => {
      const listening = /listens on (\S+)/.exec(output())?.[1]
      if (listening !== undefined) resolve(listening)
    })
    exited.then(() => reject(new Error(`Terce stopped at once:\n${output()}`)))
  })
  return {
    url,
    pid: child.pid!,
    output,
    kill: async (signal) => {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

/** Runs a command until it exits. */
export async function runTerce(env: Record<string, string>, args: string[] = []) {
  const { child, output } = spawnTerce(env, args)
  const [code] = await once(child, 'exit')
  return { code: code as number | null, output: output() }
}

function spawnTerce(
  env: Record<string, string>,
  args: string[],
  nodeOptions: string[] = [],
): { child: ChildProcess; output: () => string } {
  const { PATH } = process.env
  const child = spawn(process.execPath, [...nodeOptions, ...fromBundle(), COMMAND, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream!.on('data', (data) => (printed += data))
  return { child, output: () => printed }
}
