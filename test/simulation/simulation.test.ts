// Runs the first generated scenarios under a virtual clock and checks every invariant after every step.
import { describe, expect, it } from 'vitest'
import { generate } from './generate/generate.ts'
import { findMistake } from './mistakes/find.ts'
import { MISTAKES } from './mistakes/mistakes.ts'
import { describeShortest, NO_VIOLATION } from './record/shortest.ts'
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

/** One of each kind, but of those that are found slowly; mistakes.long.test.ts has all of them. */
const PLANTED = [
  'no-lease',
  'claim-not-exclusive',
  'completed-before-sent',
  'rendered-again',
  'failed-without-successor',
  'moved-in-flight',
  'delete-leaves-event',
  'replan-skips',
  'account-page-lost',
]

describe('the simulation', () => {
  for (const name of PLANTED) {
    const mistake = MISTAKES.find((one) => one.name === name)!
    it(`finds the planted mistake ${name}: ${mistake.description}`, async () => {
      const run = await findMistake(mistake)
      expect(mistake.breaks).toContain(run?.violation?.rule)
    })
  }
})
