// Virtual time and the queue of scheduled items. The dice choose among items that are ready at the same time. Knows
// nothing of workers or stores.
import { turn } from '../../support/fixtures.ts'
import type { Dice } from './dice.ts'

/** A process. While it is paused, its timers and the responses to it wait; calls it made before go on. */
export type Owner = { pausedUntil: number }

export type Item = {
  at: number
  /** `call` leaves a process, `response` returns to it, `script` belongs to the scenario. */
  kind: 'timer' | 'call' | 'response' | 'script'
  owner: Owner | null
  run(): unknown
}

export type Scheduler = {
  now(): number
  add(item: Item): Item
  remove(item: Item): void
  /** Removes every item that the predicate matches. */
  removeWhere(gone: (item: Item) => boolean): void
  /** Runs the next item, and moves time forward to it if none is ready now. */
  step(): Promise<void>
  /** True if calls or responses are in flight, or any item is ready. */
  busy(): boolean
  nextScriptAt(): number
  nextTimerAt(): number
  /** Records that something had an effect. */
  markActive(): void
  /** Since when nothing had an effect, apart from skipped time. */
  idleSince(): number
  /** Moves time forward without running anything: timers in between are late, as after a suspended machine. */
  skipTo(at: number): void
}

export function createScheduler(start: number, dice: Dice): Scheduler {
  let now = start
  let items: Item[] = []
  let idleSince = start

  function readyAt({ at, kind, owner }: Item): number {
    if (owner === null || kind === 'call' || kind === 'script') return at
    return Math.max(at, owner.pausedUntil)
  }

  function choose(): Item {
    const first = items.reduce((least, item) => Math.min(least, readyAt(item)), Number.POSITIVE_INFINITY)
    now = Math.max(now, first)
    const ready = items.filter((item) => readyAt(item) <= now)
    const chosen = ready.length === 1 ? ready[0]! : dice.pick(ready)
    if (chosen.kind !== 'timer') return chosen
    // The timers of one process fire in their order, however late.
    return ready
      .filter(({ kind, owner }) => kind === 'timer' && owner === chosen.owner)
      .reduce((first, timer) => (timer.at < first.at ? timer : first))
  }

  function nextOf(kind: Item['kind']): number {
    return items.reduce(
      (least, item) => (item.kind === kind ? Math.min(least, readyAt(item)) : least),
      Number.POSITIVE_INFINITY,
    )
  }

  function remove(item: Item): void {
    const at = items.indexOf(item)
    if (at >= 0) items.splice(at, 1)
  }

  return {
    now: () => now,
    add(item) {
      items.push(item)
      return item
    },
    remove,
    removeWhere(gone) {
      items = items.filter((item) => !gone(item))
    },
    async step() {
      const item = choose()
      remove(item)
      await item.run()
      await turn()
    },
    busy: () =>
      items.some((item) => item.kind === 'call' || item.kind === 'response' || readyAt(item) <= now),
    nextScriptAt: () => nextOf('script'),
    nextTimerAt: () => nextOf('timer'),
    markActive() {
      idleSince = now
    },
    idleSince: () => idleSince,
    skipTo(at) {
      now = at
      idleSince = at
    },
  }
}
