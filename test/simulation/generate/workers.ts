// Chooses the clocks of the workers.
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Fault, WorkerPlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'

export function chooseWorker(dice: Dice): WorkerPlan {
  const roll = dice.roll()
  if (roll < 0.5) return { skewMs: 0 }
  // A worker whose clock is ahead polls the database forty times a second: a larger skew would only slow a run down.
  if (roll < 0.73) return { skewMs: dice.between(1, 100) }
  if (roll < 0.75) return { skewMs: dice.between(100, 3 * SECOND) }
  return { skewMs: -dice.between(1, 90 * SECOND) }
}

/** While nothing is due: the times that a worker with such a clock writes are wrong by any rule. */
export function chooseClockJumps(dice: Dice, dueTimes: readonly number[]): Fault[] {
  if (dice.chance(0.6)) return []
  return Array.from({ length: 12 }, () => dice.pick(dueTimes) - dice.between(10, 50) * MINUTE)
    .filter((at) => dueTimes.every((dueAt) => Math.abs(dueAt - at) > 8 * MINUTE))
    .map((at) => ({ kind: 'clock jump', at, aheadMs: HOUR, forMs: dice.between(500, 2_000) }))
}
