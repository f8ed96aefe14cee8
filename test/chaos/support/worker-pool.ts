// The pool of worker processes. A worker that is killed, stopped or exits is replaced.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeUnexplainedExit, spawnTerce, type TerceProcess } from './terce-process.ts'

export type WorkerPool = {
  /** Resolves when the first worker delivers; faults may hit the others while they start. */
  ready(): Promise<void>
  /** Sends SIGKILL to the worker in that slot; another replaces it. */
  kill(slot: number): void
  /** Sends SIGTERM; another replaces the worker when it has stopped. */
  retire(slot: number): void
  /** How many workers of a release have started in that slot. */
  starts(slot: number, release: string): number
  /** Suspends the worker with SIGSTOP and resumes it after `ms`. */
  pause(slot: number, ms: number): void
  /** Resumes every suspended worker. */
  resume(): void
  /** Workers that exited without a reason. */
  unexplainedExits: string[]
  stop(): Promise<void>
}

type Slot = { worker: TerceProcess; paused: NodeJS.Timeout | null; stopping: boolean }

/** A supervisor waits a little before it restarts a process. */
const RESTART_MS = 300
const READY_WITHIN_MS = 60_000

export function startWorkerPool(options: {
  size: number
  command: () => string
  env: Record<string, string>
  folder: string
}): WorkerPool {
  const { size, command, env, folder } = options
  const slots: Slot[] = []
  const ending = new Set<Promise<void>>()
  const unexplainedExits: string[] = []
  let closed = false

  function startWorker(index: number): void {
    const worker = spawnTerce(command(), 'worker', env, logOf(index))
    const slot: Slot = { worker, paused: null, stopping: false }
    slots[index] = slot
    void worker.exited.then(() => {
      if (closed) return
      const exit = slot.stopping ? null : describeUnexplainedExit(`Worker ${index + 1}`, worker)
      if (exit !== null) unexplainedExits.push(exit)
      setTimeout(() => {
        if (!closed) startWorker(index)
      }, RESTART_MS)
    })
  }

  function stopWorker(index: number, signal: NodeJS.Signals): void {
    const slot = slots[index]!
    if (slot.stopping) return
    slot.stopping = true
    resumeWorker(slot)
    const ended = slot.worker.end(signal).finally(() => ending.delete(ended))
    ending.add(ended)
  }

  function resumeWorker(slot: Slot): void {
    if (slot.paused === null) return
    clearTimeout(slot.paused)
    slot.paused = null
    slot.worker.signal('SIGCONT')
  }

  const logOf = (index: number) => join(folder, `worker-${index + 1}.log`)

  for (let index = 0; index < size; index++) startWorker(index)
  return {
    ready: async () => {
      const deadline = Date.now() + READY_WITHIN_MS
      const delivers = (_: Slot, index: number) => readFileSync(logOf(index), 'utf8').includes('  delivery ')
      while (!slots.some(delivers)) {
        if (Date.now() > deadline) throw new Error(`No worker has started. ${unexplainedExits.at(-1)}`)
        await sleep(50)
      }
    },
    kill: (index) => stopWorker(index, 'SIGKILL'),
    retire: (index) => stopWorker(index, 'SIGTERM'),
    starts: (index, release) => readFileSync(logOf(index), 'utf8').split(`Terce ${release}`).length - 1,
    pause(index, ms) {
      const slot = slots[index]!
      if (slot.paused !== null || slot.stopping) return
      slot.worker.signal('SIGSTOP')
      slot.paused = setTimeout(() => resumeWorker(slot), ms)
    },
    resume: () => slots.forEach(resumeWorker),
    unexplainedExits,
    stop: async () => {
      closed = true
      for (const { paused } of slots) if (paused !== null) clearTimeout(paused)
      await Promise.all([...ending, ...slots.map(({ worker }) => endNow(worker))])
    },
  }
}

async function endNow(worker: TerceProcess): Promise<void> {
  if (worker.alive()) await worker.end('SIGKILL')
}
