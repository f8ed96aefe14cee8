// Chooses the channels of a scenario.

import type { ChannelPlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'

export function chooseChannels(dice: Dice): ChannelPlan[] {
  return Array.from({ length: dice.between(1, 3) }, () => ({
    kind: dice.chance(0.65) ? 'webhook' : 'smtp',
    perSecond: dice.chance(0.3) ? dice.between(1, 3) : null,
    concurrency: dice.chance(0.3) ? 1 : null,
  }))
}
