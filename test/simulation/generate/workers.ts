// Chooses the clock of a worker.
import { SECOND } from '../../support/fixtures.ts'
import type { WorkerPlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'

export function chooseWorker(dice: Dice): WorkerPlan {
  const roll = dice.roll()
  if (roll < 0.5) return { skewMs: 0 }
  // A worker whose clock is ahead polls the database forty times a second: a larger skew would only slow a run down.
  if (roll < 0.73) return { skewMs: dice.between(1, 100) }
  if (roll < 0.75) return { skewMs: dice.between(100, 3 * SECOND) }
  return { skewMs: -dice.between(1, 90 * SECOND) }
}
