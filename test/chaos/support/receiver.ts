// The run's handle of the receiver process: its URL, its mode and its log of arrivals.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ReceiverMode } from './receiver-behaviour.ts'

/** One request, as the receiver logged it. */
export type Arrival = {
  at: number
  key: string
  body: string
  /** Whether the receiver kept it, independent of its reply. */
  accepted: boolean
  /** The status it answered; null for none. */
  status: number | null
}

export type Receiver = {
  url: string
  /** Resolves when the new mode is in force. */
  behave(mode: ReceiverMode): Promise<void>
  arrivals(): Arrival[]
  stop(): Promise<void>
}

const PROCESS = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))

export async function startReceiver(options: { logFile: string; seed: number }): Promise<Receiver> {
  const child = fork(PROCESS, [options.logFile, String(options.seed)])
  const exited = once(child, 'exit')
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}/hook`,
    behave: async (mode) => {
      if (!child.connected) return
      const confirmed = once(child, 'message')
      child.send({ mode })
      await Promise.race([confirmed, exited])
    },
    arrivals: () => {
      if (!existsSync(options.logFile)) return []
      const lines = readFileSync(options.logFile, 'utf8').split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Arrival)
    },
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
