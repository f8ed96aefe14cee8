// Whether a queue stands between who finds what is due and who sends it, and what goes wrong there.
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Fate, Fault, QueuePlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import { AWS, CLOUDFLARE } from '../support/settings.ts'
import { nearNine } from './near-due.ts'
import { chooseWorker } from './workers.ts'

export const CRON_OPS = [
  ...['claimDue', 'claimDue', 'hand over', 'hand over', 'hand over', 'settle', 'nextWakeAt', 'any'],
  ...['listChannels', 'listTemplates'],
]
export const CONSUMER_OPS = [
  ...['readClaims', 'readClaims', 'settle', 'settle', 'settle', 'send', 'send', 'ack', 'ack', 'any'],
  ...['extendLeases', 'listChannels', 'setChannelStatus'],
]

/** Null where engines work. */
export function chooseQueue(dice: Dice): QueuePlan | null {
  if (dice.chance(0.65)) return null
  return {
    ...dice.pick([AWS, CLOUDFLARE]),
    ...chooseWorker(dice),
    // Nine o’clock falls between two runs, or early in one: whoever waits for it from the start only takes time.
    phaseMs: dice.chance(0.4) ? 0 : dice.between(45, 59) * SECOND,
    inOrder: dice.chance(0.3),
  }
}

export function chooseQueueFault(dice: Dice, nines: readonly number[]): Fault {
  const at = nearNine(dice, dice.pick(nines))
  const roll = dice.roll()
  if (roll < 0.08) return { kind: 'no runs', at, forMs: dice.between(1, 90) * MINUTE }
  if (roll < 0.17) return { kind: 'extra run', at }
  if (roll < 0.55) return chooseDeadly(dice, nines)
  return { kind: 'message', at, times: dice.between(1, 4), fate: chooseFate(dice) }
}

/** What ends its consumers mostly comes with others that do not. */
function chooseDeadly(dice: Dice, nines: readonly number[]): Fault {
  const crowded = nines.filter((nine, i) => nines.indexOf(nine) !== i)
  const at = dice.pick(crowded.length > 0 ? crowded : nines)
  return { kind: 'message', at, times: 1, fate: { kind: 'deadly', deaths: dice.pick([2, 8, 8, 8]) } }
}

function chooseFate(dice: Dice): Fate {
  const roll = dice.roll()
  if (roll < 0.2) return { kind: 'refused' }
  if (roll < 0.4) return { kind: 'lost' }
  if (roll < 0.6) return { kind: 'doubled', afterMs: dice.chance(0.5) ? 0 : dice.between(1, 30 * MINUTE) }
  if (roll < 0.8) return { kind: 'late', byMs: dice.chance(0.5) ? dice.between(1, 25) * MINUTE : 3 * HOUR }
  return { kind: 'unacked' }
}
