// The run's handle of the receiver process: its URL, its mode and its log of arrivals.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
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
  const readLines = followLines(options.logFile)
  const arrivals: Arrival[] = []
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
      arrivals.push(...readLines().map((line) => JSON.parse(line) as Arrival))
      return [...arrivals]
    },
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Each call returns the lines that were written since the last: reading a long file every second would take the CPU of the workers. */
function followLines(file: string): () => string[] {
  let readTo = 0
  return () => {
    if (!existsSync(file)) return []
    const fd = openSync(file, 'r')
    try {
      const buffer = Buffer.alloc(fstatSync(fd).size - readTo)
      readSync(fd, buffer, 0, buffer.length, readTo)
      const complete = buffer.lastIndexOf('\n') + 1
      readTo += complete
      return buffer.toString('utf8', 0, complete).split('\n').slice(0, -1)
    } finally {
      closeSync(fd)
    }
  }
}
