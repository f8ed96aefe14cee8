// Who works, and by which clock.
import { SECOND } from '../../support/fixtures.ts'
import type { WorkerPlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'

export function chooseWorker(dice: Dice): WorkerPlan {
  const roll = dice.roll()
  if (roll < 0.5) return { skewMs: 0 }
  // A worker that is ahead asks the database behind it forty times a second: more than a little only costs time.
  if (roll < 0.73) return { skewMs: dice.between(1, 100) }
  if (roll < 0.75) return { skewMs: dice.between(100, 3 * SECOND) }
  return { skewMs: -dice.between(1, 90 * SECOND) }
}
