// The receiver as the run sees it: an address, a mood, and a log of all that arrived.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Mood } from './receiver-behaviour.ts'

/** One request, as the receiver took it. */
export type Arrival = {
  at: number
  key: string
  body: string
  /** Whether the receiver kept it, whatever it answered. */
  accepted: boolean
  /** What it answered; null for nothing. */
  status: number | null
}

export type Sink = {
  url: string
  /** Resolves when the new mood is in force. */
  behave(mood: Mood): Promise<void>
  arrivals(): Arrival[]
  stop(): Promise<void>
}

const PROCESS = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))

export async function startSink(options: { logFile: string; seed: number }): Promise<Sink> {
  const child = fork(PROCESS, [options.logFile, String(options.seed)])
  const exited = once(child, 'exit')
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}/hook`,
    behave: async (mood) => {
      if (!child.connected) return
      const heard = once(child, 'message')
      child.send({ mood })
      await Promise.race([heard, exited])
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
