// Chooses whether a scenario has a queue, and the faults of the queue.
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Fault, MessageEffect, QueuePlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import { AWS, CLOUDFLARE } from '../support/settings.ts'
import { nearDue } from './near-due.ts'
import { chooseWorker } from './workers.ts'

export const CRON_OPS = [
  ...['claimDue', 'claimDue', 'hand over', 'hand over', 'hand over', 'settle', 'nextWakeAt', 'any'],
  ...['extendLeases', 'listChannels', 'listTemplates'],
]
export const CONSUMER_OPS = [
  ...['readClaims', 'readClaims', 'settle', 'settle', 'settle', 'send', 'send', 'ack', 'ack', 'any'],
  ...['extendLeases', 'listChannels', 'setChannelStatus'],
]

/** Null for a deployment of engines. */
export function chooseQueue(dice: Dice): QueuePlan | null {
  if (dice.chance(0.65)) return null
  return {
    ...dice.pick([AWS, CLOUDFLARE]),
    ...chooseWorker(dice),
    // Due times fall between two runs or early in one: a run that waits for them from its start only slows the simulation.
    phaseMs: dice.chance(0.4) ? 0 : dice.between(45, 59) * SECOND,
    inOrder: dice.chance(0.3),
  }
}

export function chooseQueueFault(dice: Dice, dueTimes: readonly number[]): Fault {
  const at = nearDue(dice, dice.pick(dueTimes))
  const roll = dice.roll()
  if (roll < 0.08) return { kind: 'no runs', at, forMs: dice.between(1, 90) * MINUTE }
  if (roll < 0.17) return { kind: 'extra run', at }
  if (roll < 0.55) return choosePoison(dice, dueTimes)
  return { kind: 'message', at, times: dice.between(1, 4), effect: chooseEffect(dice) }
}

/** A poison message mostly shares its batch with others. */
function choosePoison(dice: Dice, dueTimes: readonly number[]): Fault {
  const crowded = dueTimes.filter((dueAt, i) => dueTimes.indexOf(dueAt) !== i)
  const at = dice.pick(crowded.length > 0 ? crowded : dueTimes)
  return { kind: 'message', at, times: 1, effect: { kind: 'poison', crashes: dice.pick([2, 8, 8, 8]) } }
}

function chooseEffect(dice: Dice): MessageEffect {
  const roll = dice.roll()
  if (roll < 0.2) return { kind: 'rejected' }
  if (roll < 0.4) return { kind: 'lost' }
  if (roll < 0.6) return { kind: 'duplicated', afterMs: dice.chance(0.5) ? 0 : dice.between(1, 30 * MINUTE) }
  if (roll < 0.8) return { kind: 'delayed', byMs: dice.chance(0.5) ? dice.between(1, 25) * MINUTE : 3 * HOUR }
  return { kind: 'unacked' }
}
