// A simulated process: its own clock, calls that take time, and a crash that may come between any two steps. A dead
// process gets no responses; calls it made before may or may not take effect.
import type { Clock } from '../../../src/ports/clock.ts'
import { createElapsed } from '../../../src/runtimes/shared/system-clock.ts'
import type { CallFault, Who } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import type { Item, Owner } from '../support/scheduler.ts'
import type { World } from '../support/world.ts'

export type Process = Owner & {
  readonly name: string
  readonly who: Who
  readonly clock: Clock
  readonly dice: Dice
  alive(): boolean
  ask<T>(op: string, carryOut: () => Promise<T>, options?: CallOptions<T>): Promise<T>
  /** Schedules a callback as a response without latency. */
  interrupt(callback: () => void): void
  kill(): void
}

export type CallOptions<T> = {
  /** Added to the latency of the response. */
  delayMs?: (answer: T) => number
  /** True if the call has to wait; `retry` is then called when it may try again. */
  blocked?: (retry: () => void) => boolean
}

/** A failure by a fault of the scenario. */
export class MadeToFail extends Error {}

/** Also if the error was wrapped. */
export function wasMadeToFail(error: unknown): boolean {
  return error instanceof MadeToFail || (error instanceof Error && wasMadeToFail(error.cause))
}

export function startProcess(
  world: World,
  plan: { name: string; who: Who; skewMs(): number; onCrash(downMs: number): void },
): Process {
  const { scheduler, callFaults, note } = world
  const { name, who } = plan
  const dice = world.dice.fork()
  let alive = true

  const clock: Clock = {
    now: () => scheduler.now() + plan.skewMs(),
    elapsedMs: createElapsed(() => scheduler.now() + plan.skewMs(), scheduler.now),
    after(ms, callback) {
      const timer = add('timer', Math.max(0, ms), callback)
      return { cancel: () => scheduler.remove(timer) }
    },
  }

  function add(kind: Item['kind'], ms: number, run: () => unknown): Item {
    const item: Item = { at: scheduler.now() + ms, kind, owner: process, run }
    return alive || kind === 'call' ? scheduler.add(item) : item
  }

  function kill(): void {
    alive = false
    scheduler.removeWhere(({ owner, kind }) => owner === process && (kind !== 'call' || dice.chance(0.5)))
  }

  /** True if the process crashes or pauses here. */
  function crashOrPause(fault: CallFault | null): boolean {
    if (fault?.kind === 'crash') {
      note({ kind: 'lifecycle', who: name, what: 'crashes' })
      kill()
      plan.onCrash(fault.downMs)
    } else if (fault?.kind === 'pause') {
      note({ kind: 'lifecycle', who: name, what: 'pauses', forMs: fault.forMs })
      process.pausedUntil = scheduler.now() + fault.forMs
      // The end of the pause counts as activity, so that the time after it is not skipped.
      scheduler.add({ at: process.pausedUntil, kind: 'script', owner: null, run: scheduler.markActive })
    }
    return fault?.kind === 'crash' || fault?.kind === 'pause'
  }

  function ask<T>(op: string, carryOut: () => Promise<T>, options: CallOptions<T> = {}): Promise<T> {
    const { delayMs = () => 0, blocked } = options
    const { promise, resolve, reject } = Promise.withResolvers<T>()

    function takeFault(stage: 'before' | 'after'): CallFault | null {
      const fault = alive ? callFaults.take({ who, op, stage, now: scheduler.now() }) : null
      if (fault?.kind === 'failure') {
        note({ kind: 'failure', who: name, op, stage })
        add('response', latency(dice), () => reject(new MadeToFail(`${op} was made to fail`)))
      }
      return fault
    }

    async function arrive(): Promise<void> {
      if (blocked?.(() => void (alive && add('call', 0, arrive)))) return
      const before = takeFault('before')
      if (before?.kind === 'failure') return
      if (crashOrPause(before)) {
        if (alive) add('call', process.pausedUntil - scheduler.now(), arrive)
        return
      }
      const answered = await carryOut().then(
        (value) => ({ run: () => resolve(value), ms: delayMs(value) }),
        (error) => ({ run: () => reject(error), ms: 0 }),
      )
      const after = takeFault('after')
      if (after?.kind === 'failure') return
      crashOrPause(after)
      add('response', latency(dice) + answered.ms, answered.run)
    }

    if (alive) add('call', latency(dice), arrive)
    return promise
  }

  const process: Process = {
    name,
    who,
    clock,
    dice,
    pausedUntil: 0,
    alive: () => alive,
    ask,
    interrupt: (callback) => void add('response', 0, callback),
    kill,
  }
  return process
}

/** Mostly zero, sometimes milliseconds, rarely seconds. */
function latency(dice: Dice): number {
  const roll = dice.roll()
  if (roll < 0.5) return 0
  if (roll < 0.9) return dice.between(1, 20)
  if (roll < 0.99) return dice.between(20, 500)
  return dice.between(500, 5_000)
}
