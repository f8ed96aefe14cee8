// Seeded random numbers: every choice of a simulated run comes from here.
import { seededDice } from '../../support/fixtures.ts'

export type Dice = {
  /** In [0, 1). */
  roll(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Independent dice: the rolls of one part do not shift those of the others. */
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
