// When things happen.
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Dice } from '../support/dice.ts'

/** Most that matters happens within seconds of nine, some of it within the day. */
export function nearNine(dice: Dice, nine: number): number {
  const roll = dice.roll()
  if (roll < 0.15) return nine
  if (roll < 0.5) return nine + dice.between(-50, 200)
  if (roll < 0.7) return nine + dice.between(-5, 10) * SECOND
  if (roll < 0.8) return nine + dice.between(-3, 3) * MINUTE
  return nine + dice.between(-26, 26) * HOUR
}
