// Runs all generated scenarios and every regression under a virtual clock and checks every invariant after every step.
import { describe, expect, it } from 'vitest'
import { isInPart, isWhole } from '../support/part.ts'
import { generate } from './generate/generate.ts'
import { describeShortest, NO_VIOLATION } from './record/shortest.ts'
import { add, NOTHING, tally } from './record/tally.ts'
import { REGRESSIONS } from './regressions/regressions.ts'
import { runScenario } from './run.ts'

const SEEDS = 200
const SEEDS_PER_TEST = 50

describe('every simulated scenario', () => {
  let sum = NOTHING
  for (let first = 1; first <= SEEDS; first += SEEDS_PER_TEST) {
    const last = first + SEEDS_PER_TEST - 1
    it(`keeps every invariant, for seeds ${first} to ${last}`, async () => {
      for (let seed = first; seed <= last; seed++) {
        if (!isInPart(seed)) continue
        const run = await runScenario(generate(seed))
        expect(await describeShortest(run)).toBe(NO_VIOLATION)
        sum = add(sum, tally(run))
      }
    })
  }

  if (isWhole())
    it('adds to a sum in which every kind of fault, edit and outcome occurs once for five seeds or more', () => {
      for (const [what, count] of Object.entries(sum)) expect(count, what).toBeGreaterThanOrEqual(SEEDS / 5)
    })

  for (const { was, scenarios } of REGRESSIONS) {
    it(`keeps every invariant in the regression: ${was}`, async () => {
      for (const scenario of scenarios)
        expect(await describeShortest(await runScenario(scenario))).toBe(NO_VIOLATION)
    })
  }

  it('gives the same trace, byte for byte, when it runs again', async () => {
    for (const seed of [14, 159]) {
      const first = await runScenario(generate(seed))
      const second = await runScenario(generate(seed))
      expect(JSON.stringify(second.trace)).toBe(JSON.stringify(first.trace))
    }
  })
})
