// Runs the first generated scenarios under a virtual clock and checks every invariant after every step.
import { describe, expect, it } from 'vitest'
import { generate } from './generate/generate.ts'
import { findByAlone, mistakeFor } from './mistakes/find.ts'
import { describeShortest, NO_VIOLATION } from './record/shortest.ts'
import { INVARIANTS } from './rules/invariants.ts'
import { runScenario } from './run.ts'

/** The long tier runs 200, and two of them twice to compare the traces. */
const SEEDS = 10
const SEEDS_PER_TEST = 5

describe('a simulated scenario', () => {
  for (let first = 1; first <= SEEDS; first += SEEDS_PER_TEST) {
    const last = first + SEEDS_PER_TEST - 1
    it(`keeps every invariant, for seeds ${first} to ${last}`, async () => {
      for (let seed = first; seed <= last; seed++)
        expect(await describeShortest(await runScenario(generate(seed)))).toBe(NO_VIOLATION)
    })
  }
})

/** A few that find their mistake quickly; mistakes.long.test.ts has every invariant. */
const QUICK = [
  'exclusive lease',
  'stored before sent',
  'one planned event',
  'no occurrence skipped',
  'due at local time',
  'moves are recorded',
  'right channel',
  'version of the message',
  'nobody is missed',
]

describe('the simulation', () => {
  for (const rule of INVARIANTS.filter(({ name }) => QUICK.includes(name))) {
    it(`finds a planted mistake by the invariant "${rule.name}" alone: ${mistakeFor(rule)?.description}`, async () => {
      const run = await findByAlone(rule)
      expect(run?.violation?.rule).toBe(rule.name)
    })
  }
})
