// Starts a command that serves Terce, such as `npm start`, and stops it with everything that it started.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from '../../support/until.ts'
import { shellEnv } from './checkout.ts'

export type Server = {
  url: string
  /** From the start of the command until the dashboard was served. */
  seconds: number
  stop(): Promise<void>
}

/** Resolves when the dashboard is served. */
export async function serve(
  command: string,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Server> {
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd,
    env: { ...shellEnv(), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: npm and npx do not pass every signal on.
    detached: true,
  })
  const exited = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
    await exited
  }
  try {
    const isUp = () => /listens on \S+/.test(printed) || child.exitCode !== null
    await until(`${command} ${args.join(' ')} serves`, isUp, Boolean, 60_000)
    const url = /listens on (\S+)/.exec(printed)?.[1]
    if (url === undefined) throw new Error(`${command} ${args.join(' ')} stopped at once:\n${printed}`)
    const page = await fetch(`${url}/app/`)
    if (!page.ok || !(await page.text()).includes('<div id="root">'))
      throw new Error('There is no dashboard.')
    return { url, seconds: (performance.now() - startedAt) / 1000, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
