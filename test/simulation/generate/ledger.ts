// Chooses which days of a history are closed by the ledger, and what goes wrong with the processes that close them.
import { DAY, HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Fault, LedgerPlan, Scenario, Stage } from '../scenario.ts'
import { createDice, type Dice } from '../support/dice.ts'

/** From the last day to the check of the closed days: the day after, and the runs that close it. */
const AFTER_MS = 3 * DAY

/** Dice of its own, so that the rest of a scenario is that of earlier releases. */
export function chooseLedger(
  seed: number,
  { from, until, dueTimes }: Pick<Scenario, 'from' | 'until'> & { dueTimes: readonly number[] },
): { ledger: LedgerPlan; faults: Fault[] } {
  const dice = createDice(seed + 0x1ed9e)
  const days = dice.chance(0.1) ? dice.between(20, 40) : dice.between(4, 10)
  const near = dice.pick(dueTimes) - dice.between(0, 3) * DAY
  const begin = Math.max(from, Math.min(near, until - days * DAY - AFTER_MS))
  const ledger = { from: begin, days, pageSize: dice.pick([1, 2, 500]) }
  const length = dice.chance(0.2) ? 0 : dice.between(1, 6)
  const faults = Array.from({ length }, () =>
    chooseFault(dice, begin + dice.between(1, days - 2) * DAY + dice.between(0, 24) * HOUR),
  )
  return { ledger, faults }
}

const OPS = [
  ...['saveAccountPage', 'saveAccountPage', 'saveAccountPage', 'closeLedgerDay', 'closeLedgerDay'],
  ...['openLedgerDay', 'readAccounts', 'readAccount', 'listLedgerLines', 'any', 'any', 'any'],
]

function chooseFault(dice: Dice, at: number): Fault {
  const stage: Stage = dice.chance(0.5) ? 'before' : 'after'
  const call = { at, who: 'closer' as const, op: dice.pick(OPS), stage }
  const roll = dice.roll()
  if (roll < 0.5) return { ...call, kind: 'crash', downMs: dice.pick([0, SECOND, MINUTE, HOUR]) }
  if (roll < 0.8) return { ...call, kind: 'pause', forMs: dice.between(1, 40) * MINUTE }
  return { ...call, kind: 'failure', times: dice.between(1, 4) }
}
