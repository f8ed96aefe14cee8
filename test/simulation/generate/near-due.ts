// Chooses instants around a due time.
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Dice } from '../support/dice.ts'

/** Mostly within seconds of the due time, sometimes within a day. */
export function nearDue(dice: Dice, dueAt: number): number {
  const roll = dice.roll()
  if (roll < 0.15) return dueAt
  if (roll < 0.5) return dueAt + dice.between(-50, 200)
  if (roll < 0.7) return dueAt + dice.between(-5, 10) * SECOND
  if (roll < 0.8) return dueAt + dice.between(-3, 3) * MINUTE
  return dueAt + dice.between(-26, 26) * HOUR
}
