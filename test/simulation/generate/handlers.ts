// Chooses whether the workers are processes of an application with handlers, and what goes wrong with these.
import { SECOND } from '../../support/fixtures.ts'
import type { Fault, HandlerFault, HandlerPlan, QueuePlan, Stage, WorkerPlan } from '../scenario.ts'
import { createDice, type Dice } from '../support/dice.ts'
import { nearDue } from './near-due.ts'

type Setting = { workers: readonly WorkerPlan[]; dueTimes: readonly number[]; queue: QueuePlan | null }

/** Dice of its own, so that scenarios without handlers are those of earlier releases. */
export function chooseHandlers(
  seed: number,
  { workers, dueTimes, queue }: Setting,
): { handlers?: HandlerPlan; faults: Fault[] } {
  const dice = createDice(seed + 0x5eed)
  // There are no handlers behind a queue.
  if (queue !== null || dice.chance(0.6)) return { faults: [] }
  return {
    handlers: { concurrency: dice.between(1, 3), timeoutMs: dice.pick([5, 30, 90]) * SECOND },
    faults: Array.from({ length: dice.between(2, 12) }, () =>
      chooseFault(dice, workers.length, nearDue(dice, dice.pick(dueTimes))),
    ),
  }
}

/** Calls of a transaction; the outcome of a COMMIT that fails after it took effect is unknown to the worker. */
const OPS = ['begin', 'effect', 'settle', 'commit', 'commit', 'commit', 'rollback']

function chooseFault(dice: Dice, workers: number, at: number): Fault {
  if (dice.chance(0.4)) return chooseHandlerFault(dice, at)
  const stage: Stage = dice.chance(0.5) ? 'before' : 'after'
  const call = { at, who: dice.between(0, workers - 1), op: dice.pick(OPS), stage }
  const roll = dice.roll()
  if (roll < 0.4) return { ...call, kind: 'failure', times: dice.between(1, 3) }
  if (roll < 0.7) return { ...call, kind: 'crash', downMs: dice.pick([0, SECOND, 60 * SECOND]) }
  // A transaction that idles is ended by the database: only one that has not begun is still good when the lease is not.
  const op = dice.chance(0.7) ? 'begin' : call.op
  return {
    ...call,
    op,
    kind: 'pause',
    forMs: dice.chance(0.5) ? dice.between(59, 70) * SECOND : dice.between(1, 150) * SECOND,
  }
}

function chooseHandlerFault(dice: Dice, at: number): HandlerFault {
  const roll = dice.roll()
  const times = dice.between(1, 4)
  // Some of them longer than the time limit: a handler that goes on writes to a transaction that is gone.
  if (roll < 0.4) return { kind: 'handler', at, times, how: 'slow', ms: dice.between(1, 100) * SECOND }
  if (roll < 0.6) return { kind: 'handler', at, times, how: 'throws' }
  return { kind: 'handler', at, times, how: roll < 0.9 ? 'throws after its write' : 'fails for good' }
}
