// The workers. Each place in the crew is filled again when its worker is killed, told to stop, or ends by itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnTerce, type TerceProcess, unexplained } from './terce-process.ts'

export type Crew = {
  /** Resolves when the first of them is at work; the others need not have come so far to be in trouble. */
  ready(): Promise<void>
  /** Ends the worker at that place without warning; another takes its place. */
  kill(place: number): void
  /** Tells it to stop; another takes its place when it has. */
  retire(place: number): void
  /** Holds it up for so long, and lets it go on as if nothing had happened. */
  pause(place: number, ms: number): void
  /** Nobody is held up any more. */
  resume(): void
  /** Who ended by itself and did not say why. */
  deserters: string[]
  stop(): Promise<void>
}

type Place = { worker: TerceProcess; paused: NodeJS.Timeout | null; leaving: boolean }

/** What watches over processes waits a little before it starts them again. */
const AGAIN_MS = 300
const READY_WITHIN_MS = 60_000

export function startCrew(options: { size: number; env: Record<string, string>; folder: string }): Crew {
  const { size, env, folder } = options
  const places: Place[] = []
  const ending = new Set<Promise<void>>()
  const deserters: string[] = []
  let closed = false

  function fill(place: number): void {
    const worker = spawnTerce('worker', env, logOf(place))
    const filled: Place = { worker, paused: null, leaving: false }
    places[place] = filled
    void worker.exited.then(() => {
      if (closed) return
      const deserter = filled.leaving ? null : unexplained(`Worker ${place + 1}`, worker)
      if (deserter !== null) deserters.push(deserter)
      setTimeout(() => {
        if (!closed) fill(place)
      }, AGAIN_MS)
    })
  }

  function dismiss(place: number, signal: NodeJS.Signals): void {
    const filled = places[place]!
    if (filled.leaving) return
    filled.leaving = true
    wakeUp(filled)
    const ended = filled.worker.end(signal).finally(() => ending.delete(ended))
    ending.add(ended)
  }

  function wakeUp(filled: Place): void {
    if (filled.paused === null) return
    clearTimeout(filled.paused)
    filled.paused = null
    filled.worker.signal('SIGCONT')
  }

  const logOf = (place: number) => join(folder, `worker-${place + 1}.log`)

  for (let place = 0; place < size; place++) fill(place)
  return {
    ready: async () => {
      const deadline = Date.now() + READY_WITHIN_MS
      const isAtWork = (_: Place, place: number) => readFileSync(logOf(place), 'utf8').includes('  delivers ')
      while (!places.some(isAtWork)) {
        if (Date.now() > deadline) throw new Error(`No worker starts. ${deserters.at(-1)}`)
        await sleep(50)
      }
    },
    kill: (place) => dismiss(place, 'SIGKILL'),
    retire: (place) => dismiss(place, 'SIGTERM'),
    pause(place, ms) {
      const filled = places[place]!
      if (filled.paused !== null || filled.leaving) return
      filled.worker.signal('SIGSTOP')
      filled.paused = setTimeout(() => wakeUp(filled), ms)
    },
    resume: () => places.forEach(wakeUp),
    deserters,
    stop: async () => {
      closed = true
      for (const { paused } of places) if (paused !== null) clearTimeout(paused)
      await Promise.all([...ending, ...places.map(({ worker }) => endNow(worker))])
    },
  }
}

async function endNow(worker: TerceProcess): Promise<void> {
  if (worker.alive()) await worker.end('SIGKILL')
}
