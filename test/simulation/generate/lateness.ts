// Chooses lateness limits by kind, so short that workers that are down for a while are too late.
import { HOUR, MINUTE } from '../../support/fixtures.ts'
import type { Scenario } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'

const KINDS = ['*', 'BIRTHDAY', 'WORK_ANNIVERSARY', 'STANDUP', 'TASK_REMINDER']

export function chooseLateness(dice: Dice): Scenario['lateness'] {
  const chosen = KINDS.filter(() => dice.chance(0.45))
  return Object.fromEntries(
    chosen.map((kind) => [
      kind,
      {
        belatedAfterMs: dice.chance(0.9) ? dice.pick([MINUTE, MINUTE, 10 * MINUTE, 2 * HOUR]) : null,
        missedAfterMs: dice.chance(0.6) ? dice.pick([2 * MINUTE, 10 * MINUTE, HOUR, 12 * HOUR]) : null,
      },
    ]),
  )
}
