// Chooses the processes that start with the older timezone table, and when each is upgraded: one after another within
// days, as in a rollout. Some are rolled back in between.
import { DAY, HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import { differs, SHARED_ZONES } from '../../support/oracle/clock.ts'
import type { ChannelPlan, Fault, Upgrade, WorkerPlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import { nearDue } from './near-due.ts'

const CHANGED = SHARED_ZONES.filter(differs)

/** A timezone for a scenario with upgrades: mostly one that differs between the tables. */
export function chooseChangingPlace(dice: Dice): string {
  return dice.pick(dice.chance(0.75) ? CHANGED : SHARED_ZONES)
}

export type Rollout = { upgrades: Upgrade[]; faults: Fault[] }

export function chooseRollout(
  dice: Dice,
  {
    workers,
    channels,
    dueTimes,
  }: { workers: readonly WorkerPlan[]; channels: readonly ChannelPlan[]; dueTimes: readonly number[] },
): Rollout {
  // By one table the due time has passed, by the other it is still ahead.
  const dueAt = dice.pick(dueTimes) + dice.pick([-HOUR, 0, HOUR])
  const isDown = dice.chance(0.5)
  const begins = isDown ? dueAt + dice.between(1, 120) * SECOND : nearDue(dice, dueAt)
  const faults = isDown ? channels.map((_, channel) => chooseDown(dice, channel, dueAt)) : []
  const everybody: Upgrade['who'][] = ['api', ...workers.keys()]
  const late = everybody.filter(() => dice.chance(0.7))
  const upgrades = (late.length > 0 ? late : everybody).flatMap((who) => chooseUpgrade(dice, who, begins))
  return { upgrades: upgrades.sort((a, b) => a.at - b.at), faults }
}

/** Keeps due events in flight for minutes. */
function chooseDown(dice: Dice, channel: number, dueAt: number): Fault {
  const reply = { kind: 'reset', accepted: false } as const
  return { kind: 'down', at: dueAt - SECOND, channel, forMs: dice.between(2, 8) * MINUTE, reply }
}

function chooseUpgrade(dice: Dice, who: Upgrade['who'], begins: number): Upgrade[] {
  const at = begins + dice.pick([0, 0, SECOND, MINUTE, HOUR, DAY]) * dice.between(1, 9)
  const upgrade: Upgrade = { at, who, release: '2026f' }
  if (dice.chance(0.85)) return [upgrade]
  const backAt = at + dice.between(1, 100) * MINUTE
  const againAt = backAt + dice.between(1, 50) * HOUR
  return [upgrade, { at: backAt, who, release: '2025c' }, { at: againAt, who, release: '2026f' }]
}
