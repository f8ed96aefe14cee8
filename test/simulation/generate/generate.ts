// Generates a scenario from a seed, biased to where errors are likely: the seconds around a due time, places near the
// date line, leap days, the turn of the year, several people on one instant, channels that are too small or down.
import { DAY, MINUTE, SECOND, YEAR } from '../../support/fixtures.ts'
import type { Scenario } from '../scenario.ts'
import { createDice, type Dice } from '../support/dice.ts'
import { chooseChannels } from './channels.ts'
import { chooseCrowd } from './crowd.ts'
import { chooseFaults } from './faults.ts'
import { chooseHandlers } from './handlers.ts'
import { chooseLateness } from './lateness.ts'
import { chooseChores, chooseSendTimes } from './operator.ts'
import { chooseQueue } from './queue.ts'
import { chooseChangingPlace, chooseRollout, type Rollout } from './upgrades.ts'
import { chooseAnyPlace, choosePerson, chooseRejected, chooseSettings } from './users.ts'
import { chooseClockJumps, chooseWorker } from './workers.ts'

/** Long enough for every lease, retry and backoff to run out. */
const AFTER_FAULTS_MS = DAY

/** How many of all due times have faults. */
const FAULTY_TIMES = 10

const NO_ROLLOUT: Rollout = { upgrades: [], faults: [] }

export function generate(seed: number): Scenario {
  const dice = createDice(seed)
  const from = Date.UTC(2026, 0, 1) + dice.between(0, 12 * 365) * DAY
  const faultsEndAt = from + dice.between(YEAR, 6 * YEAR)
  const dueTimes: number[] = []
  const upgrading = dice.chance(0.25)
  const place = upgrading ? chooseChangingPlace : chooseAnyPlace
  const sharedSettings = Array.from({ length: dice.between(1, 2) }, () => chooseSettings(dice, place))
  const channels = chooseChannels(dice)
  const people = dice.between(2, 10)
  const edits = Array.from({ length: people }, (_, person) =>
    choosePerson(dice, { person, place, sharedSettings, channels, dueTimes, from, faultsEndAt }),
  ).flat()
  // Processes of a queue deployment are too short-lived for an upgrade to matter.
  const queue = upgrading ? null : chooseQueue(dice.fork())
  const workers = Array.from({ length: dice.between(1, 3) }, () => chooseWorker(dice))
  // Many faults at a few due times, rather than one at each.
  const faultyTimes = Array.from({ length: FAULTY_TIMES }, () => dice.pick(dueTimes))
  const rollout = upgrading ? chooseRollout(dice, { workers, channels, dueTimes: faultyTimes }) : NO_ROLLOUT
  const faults = [
    ...chooseFaults(dice, { workers, channels, dueTimes: faultyTimes, queue, upgrading }),
    ...rollout.faults,
  ]
  const chores = chooseChores(dice, { channels, times: [...faultyTimes, ...faults.map(({ at }) => at)] })
  const crowd = chooseCrowd(dice, people, from)
  // Schedulers and consumers do not sleep.
  const jumps = queue === null ? chooseClockJumps(dice, dueTimes) : []
  const handled = chooseHandlers(seed, { workers, dueTimes: faultyTimes, queue })
  const until = faultsEndAt + AFTER_FAULTS_MS
  const beforeEndOfFaults = ({ at }: { at: number }) => at < faultsEndAt
  const scenario = {
    seed,
    from,
    faultsEndAt,
    until,
    channels,
    edits: [...edits, ...crowd.edits].filter(beforeEndOfFaults),
    chores: [...chores, ...chooseSendTimes(seed, faultyTimes)].filter(beforeEndOfFaults),
    workers,
    ...(queue === null ? {} : { queue }),
    ...(handled.handlers && { handlers: handled.handlers }),
    faults: [...faults, ...crowd.faults, ...jumps, ...handled.faults].filter(beforeEndOfFaults),
    operatorDelayMs: chooseOperatorDelay(dice),
    databaseBehindMs: dice.chance(0.2) ? dice.between(1, 80) : 0,
    lateness: chooseLateness(dice),
    upgrades: rollout.upgrades.filter(beforeEndOfFaults),
    wakeUpsGetLost: dice.chance(0.3),
  }
  return { ...scenario, edits: [...scenario.edits, ...chooseRejected(dice, scenario)] }
}

/** While events wait for a stopped channel, workers look every second, which slows a run down: it lasts minutes, not days. */
function chooseOperatorDelay(dice: Dice): Scenario['operatorDelayMs'] {
  return {
    HELD: dice.chance(0.5) ? dice.between(1, 60) * SECOND : dice.between(1, 10) * MINUTE,
    DISABLED: dice.chance(0.5) ? dice.between(1, 60) * SECOND : dice.between(1, 10) * MINUTE,
  }
}
