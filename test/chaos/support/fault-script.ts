// Generates the faults of a run from a seed before it starts. Equal seeds give equal scripts; the timing of real processes
// still differs from run to run.

import { createDice, type Dice } from '../../simulation/support/dice.ts'
import { shuffled } from '../../support/fixtures.ts'
import type { ReceiverMode } from './receiver-behaviour.ts'

export type Fault =
  | { kind: 'kill'; slot: number }
  | { kind: 'pause'; slot: number; forMs: number }
  | { kind: 'retire'; slot: number }
  /** PostgreSQL stops in immediate mode. */
  | { kind: 'crash'; downMs: number }
  /** The standby is promoted that time after PostgreSQL ended. If it vanishes, its connections stay open and silent. */
  | { kind: 'failover'; promoteAfterMs: number; how: 'kill' | 'shutDown' | 'vanish' }
  | { kind: 'cut'; share: number }
  | { kind: 'delay'; ms: number; forMs: number }
  | { kind: 'silence'; share: number; forMs: number }
  | { kind: 'lose-commits'; share: number; when: 'before' | 'after'; forMs: number }
  | { kind: 'mode'; mode: ReceiverMode; forMs: number }

export type Step = { atMs: number; fault: Fault }

export type ScriptOptions = {
  seed: number
  faultsMs: number
  workers: number
  people: number
  leaseMs: number
  rollouts: number
}

const FIRST_FAULT_MS = 2_000
/** Only in a longer run are connections silent for longer than a worker waits for a response. */
const LONG_RUN_MS = 120_000
/** How often each kind is in the deck. The deck is used up before it is shuffled again, so that every run has every kind. */
export const DECK: readonly (readonly [Fault['kind'], number])[] = [
  ['kill', 4],
  ['pause', 3],
  ['retire', 1],
  ['crash', 1],
  ['failover', 1],
  ['cut', 2],
  ['delay', 1],
  ['silence', 1],
  ['lose-commits', 4],
  ['mode', 2],
]

export function writeScript(options: ScriptOptions): Step[] {
  const dice = createDice(options.seed)
  const steps: Step[] = []
  let deck: Fault['kind'][] = []
  for (let atMs = FIRST_FAULT_MS; atMs < options.faultsMs; atMs += dice.between(200, 1_800)) {
    if (deck.length === 0) deck = newDeck(dice)
    steps.push({ atMs, fault: chooseFault(deck.pop()!, dice, options) })
  }
  return steps
}

function chooseFault(kind: Fault['kind'], dice: Dice, { workers, leaseMs, faultsMs }: ScriptOptions): Fault {
  const slot = dice.between(0, workers - 1)
  switch (kind) {
    case 'kill':
    case 'retire':
      return { kind, slot }
    case 'pause':
      return { kind, slot, forMs: leaseMs + dice.between(200, 4_000) }
    case 'crash':
      return { kind, downMs: dice.between(200, 2_000) }
    case 'failover':
      return {
        kind,
        promoteAfterMs: dice.chance(0.5) ? 0 : dice.between(200, 2_000),
        how: dice.pick(['kill', 'kill', 'shutDown', faultsMs > LONG_RUN_MS ? 'vanish' : 'kill']),
      }
    case 'cut':
      return { kind, share: dice.pick([0.2, 0.5, 1]) }
    case 'delay':
      return { kind, ms: dice.between(20, 400), forMs: dice.between(500, 3_000) }
    case 'silence':
      return {
        kind,
        share: 0.3,
        forMs: faultsMs > LONG_RUN_MS && dice.chance(0.2) ? 40_000 : dice.between(1_000, 6_000),
      }
    case 'lose-commits':
      return {
        kind,
        share: 0.3,
        when: dice.chance(0.75) ? 'after' : 'before',
        forMs: dice.between(500, 2_000),
      }
    case 'mode':
      return {
        kind,
        mode: dice.pick(['down', 'hanging', 'busy', 'resetting']),
        forMs: dice.between(800, 3_000),
      }
  }
}

function newDeck(dice: Dice): Fault['kind'][] {
  const cards = DECK.flatMap(([kind, count]) => Array<Fault['kind']>(count).fill(kind))
  return shuffled(cards, dice.roll)
}
