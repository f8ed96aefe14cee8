// Seeded dice: every choice in a simulated history comes from here.
import { seededDice } from '../../support/fixtures.ts'

export type Dice = {
  /** In [0, 1). */
  roll(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Dice of their own: what one party throws does not disturb the others. */
  fork(): Dice
}

export function createDice(seed: number): Dice {
  const roll = seededDice(seed)
  const between = (least: number, most: number) => least + Math.floor(roll() * (most - least + 1))
  return {
    roll,
    between,
    chance: (probability) => roll() < probability,
    pick: (list) => list[between(0, list.length - 1)]!,
    fork: () => createDice(between(0, 0xffff_ffff)),
  }
}
