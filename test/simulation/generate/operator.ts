// Chooses the chores of the operator.
import { DAY, MINUTE, SECOND, YEAR } from '../../support/fixtures.ts'
import type { ChannelPlan, Chore } from '../scenario.ts'
import { createDice, type Dice } from '../support/dice.ts'
import { nearDue } from './near-due.ts'

const LANGUAGES = ['', '', 'de', 'pt', 'pt-BR']

export function chooseChores(
  dice: Dice,
  { channels, times }: { channels: readonly ChannelPlan[]; times: readonly number[] },
): Chore[] {
  let mark = 0

  function chooseChore(at: number): Chore {
    const roll = dice.roll()
    if (roll < 0.17) return { kind: 'prune', at, olderThanMs: dice.pick([0, DAY, YEAR]) }
    if (roll < 0.47) return { kind: 'replay', at, ownKey: dice.chance(0.4) }
    const channel = dice.between(0, channels.length - 1)
    if (roll < 0.58) return { kind: 'name default', at, channel }
    if (roll < 0.7) {
      const stop = { kind: 'stop channel', at, channel } as const
      if (dice.chance(0.4)) return { ...stop, status: 'DISABLED' }
      const forMs = dice.pick([0, dice.between(1, 40) * MINUTE])
      return { ...stop, status: 'HELD', ...(forMs > 0 && { forMs }) }
    }
    mark += 1
    const template = dice.chance(0.8) ? { mark, fragile: dice.chance(0.4) } : null
    return { kind: 'write', at, language: dice.pick(LANGUAGES), template }
  }

  /** Several chores in a row. */
  function chooseSeries(from: number): Chore[] {
    let at = nearDue(dice, from)
    return Array.from({ length: dice.between(1, 4) }, () => {
      at += dice.between(1, 120) * SECOND
      return chooseChore(at)
    })
  }

  return Array.from({ length: dice.between(0, 4) }, () => chooseSeries(dice.pick(times))).flat()
}

const TIMES = ['08:30', '09:00', '09:30', '11:00', '23:59']

/** Moves of everybody's send time, with dice of their own: they do not shift the rest of the scenario. */
export function chooseSendTimes(seed: number, times: readonly number[]): Chore[] {
  const dice = createDice(seed + 0x5e7d)
  const many = dice.chance(0.2) ? dice.between(1, 3) : 0
  return Array.from({ length: many }, () => ({
    kind: 'send time',
    at: nearDue(dice, dice.pick(times)),
    localTime: dice.pick(TIMES),
    ...(dice.chance(0.5) && { from: '09:00' }),
  }))
}
