// A crew of workers that can lose one at any moment and gets another in its place.
import { startTerce, type Terce } from './processes.ts'

export type Workers = {
  start(): Promise<void>
  /**
   * Kills the one that the dice (0 to 1) points at, without warning, and starts another. False if so many of them are
   * still starting that nobody would get any work done.
   */
  killOne(dice: number): boolean
  /** The last words of those that ended although nobody killed them. */
  died(): string[]
  endAll(): Promise<void>
}

export function createWorkers(env: Record<string, string>): Workers {
  const running: Terce[] = []
  const starting = new Set<Promise<void>>()
  const ending: Promise<unknown>[] = []
  let closed = false

  function start(): Promise<void> {
    const started = startTerce('worker', env).then((worker) => {
      starting.delete(started)
      running.push(worker)
    })
    starting.add(started)
    return started
  }

  function killOne(dice: number): boolean {
    if (closed || starting.size >= running.length) return false
    const [victim] = running.splice(Math.floor(dice * running.length), 1)
    ending.push(victim!.end('SIGKILL'))
    void start()
    return true
  }

  return {
    start,
    killOne,
    died: () => running.filter((worker) => !worker.alive()).map((worker) => worker.output().slice(-1_000)),
    endAll: async () => {
      closed = true
      await Promise.all(starting)
      await Promise.all([...ending, ...running.splice(0).map((worker) => worker.end('SIGKILL'))])
    },
  }
}
