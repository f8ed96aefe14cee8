// Virtual time, and all that waits to happen in it. Which of several things that could happen now comes first is up to
// the dice. Knows nothing of workers or stores.
import { turn } from '../../support/fixtures.ts'
import type { Dice } from './dice.ts'

/** A process: its timers and the answers to it wait while it is paused. What it sent before is on its way. */
export type Owner = { pausedUntil: number }

export type Item = {
  at: number
  /** `call` is on its way out of a process, `answer` on its way in, `script` is the scenario's own. */
  kind: 'timer' | 'call' | 'answer' | 'script'
  owner: Owner | null
  run(): unknown
}

export type Scheduler = {
  now(): number
  add(item: Item): Item
  remove(item: Item): void
  /** Takes out what the predicate names. */
  removeWhere(gone: (item: Item) => boolean): void
  /** Carries out the next thing, moving time forward to it if nothing is due now. */
  step(): Promise<void>
  /** True if calls or answers are under way, or anything is due now. */
  busy(): boolean
  nextScriptAt(): number
  nextTimerAt(): number
  /** Something had an effect. */
  stir(): void
  /** Since when nothing stirred, a leap aside. */
  idleSince(): number
  /** Moves time forward without carrying anything out: timers in between are late, as after a suspended machine. */
  leapTo(at: number): void
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
    // The timers of one process go off in their order, however late.
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
    busy: () => items.some((item) => item.kind === 'call' || item.kind === 'answer' || readyAt(item) <= now),
    nextScriptAt: () => nextOf('script'),
    nextTimerAt: () => nextOf('timer'),
    stir() {
      idleSince = now
    },
    idleSince: () => idleSince,
    leapTo(at) {
      now = at
      idleSince = at
    },
  }
}
