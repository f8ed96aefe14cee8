// A seed becomes a scenario. Biased to where things go wrong: the seconds around somebody's nine o'clock, places near the
// date line, leap days, the turn of the year, several people on one instant, channels that are too small or down.
import { DAY, MINUTE, SECOND, YEAR } from '../../support/fixtures.ts'
import type { Scenario } from '../scenario.ts'
import { createDice, type Dice } from '../support/dice.ts'
import { chooseChannels } from './channels.ts'
import { chooseFaults } from './faults.ts'
import { chooseLateness } from './lateness.ts'
import { chooseChores } from './operator.ts'
import { chooseQueue } from './queue.ts'
import { chooseChangingPlace, chooseRollout, type Rollout } from './upgrades.ts'
import { chooseAnyPlace, chooseSettings, life } from './users.ts'
import { chooseWorker } from './workers.ts'

/** Long enough for every lease, retry and backoff to run out. */
const CALM_MS = DAY

/** How many of all the times at which something is due have trouble. */
const TRYING_TIMES = 9

const NO_ROLLOUT: Rollout = { upgrades: [], faults: [] }

export function generate(seed: number): Scenario {
  const dice = createDice(seed)
  const from = Date.UTC(2026, 0, 1) + dice.between(0, 12 * 365) * DAY
  const calmAt = from + dice.between(YEAR, 6 * YEAR)
  const nines: number[] = []
  const upgrading = dice.chance(0.25)
  const place = upgrading ? chooseChangingPlace : chooseAnyPlace
  const circles = Array.from({ length: dice.between(1, 2) }, () => chooseSettings(dice, place))
  const channels = chooseChannels(dice)
  const edits = Array.from({ length: dice.between(2, 10) }, (_, person) =>
    life(dice, { person, place, circles, channels, nines, from, calmAt }),
  ).flat()
  // Processes that live for one call have no table for long.
  const queue = upgrading ? null : chooseQueue(dice.fork())
  const workers = Array.from({ length: dice.between(1, 3) }, () => chooseWorker(dice))
  // Much at a few of them, rather than something at each.
  const trying = Array.from({ length: TRYING_TIMES }, () => dice.pick(nines))
  const rollout = upgrading ? chooseRollout(dice, { workers, channels, nines: trying }) : NO_ROLLOUT
  const faults = [
    ...chooseFaults(dice, { workers, channels, nines: trying, queue, upgrading }),
    ...rollout.faults,
  ]
  const chores = chooseChores(dice, { channels, times: [...trying, ...faults.map(({ at }) => at)] })
  const beforeCalm = ({ at }: { at: number }) => at < calmAt
  return {
    seed,
    from,
    calmAt,
    until: calmAt + CALM_MS,
    channels,
    edits: edits.filter(beforeCalm),
    chores: chores.filter(beforeCalm),
    workers,
    ...(queue === null ? {} : { queue }),
    faults: faults.filter(beforeCalm),
    seenToAfterMs: choosePatience(dice),
    databaseBehindMs: dice.chance(0.2) ? dice.between(1, 80) : 0,
    lateness: chooseLateness(dice),
    upgrades: rollout.upgrades.filter(beforeCalm),
    newsGetsLost: dice.chance(0.3),
  }
}

/** While a channel is paused its events come back every half minute, which takes time: that is not for days. */
function choosePatience(dice: Dice): Scenario['seenToAfterMs'] {
  return {
    PAUSED: dice.chance(0.5) ? dice.between(1, 60) * SECOND : dice.between(1, 10) * MINUTE,
    DISABLED: dice.chance(0.5) ? dice.between(1, 60) * SECOND : dice.between(1, 400) * DAY,
  }
}
