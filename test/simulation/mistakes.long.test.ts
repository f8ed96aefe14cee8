// The simulation tests itself: every invariant finds the mistake that is planted for it, without the other invariants.
import { describe, expect, it } from 'vitest'
import { isInPart } from '../support/part.ts'
import { findByAlone, mistakeFor } from './mistakes/find.ts'
import { MISTAKES } from './mistakes/mistakes.ts'
import { INVARIANTS } from './rules/invariants.ts'
import { runScenario } from './run.ts'
import { shrink } from './shrink.ts'

describe('the simulation', () => {
  for (const rule of INVARIANTS.filter((_, i) => isInPart(i))) {
    it(`finds a planted mistake by the invariant "${rule.name}" alone: ${mistakeFor(rule)?.description}`, async () => {
      const run = await findByAlone(rule)
      expect(run?.violation?.rule).toBe(rule.name)
    })
  }

  it('has no planted mistake that no invariant needs', () => {
    const needed = new Set(INVARIANTS.map(mistakeFor))
    expect(MISTAKES.filter((mistake) => !needed.has(mistake))).toEqual([])
  })

  const SHRUNK = ['permanent rejection is final', 'acknowledged when settled']
  for (const name of SHRUNK.filter((_, i) => isInPart(i))) {
    it(`shrinks the scenario that broke "${name}" to one person and at most three faults`, async () => {
      const rule = INVARIANTS.find((one) => one.name === name)!
      const { scenario, mistake } = (await findByAlone(rule))!
      const shortest = await shrink(scenario, (candidate) => runScenario(candidate, mistake, [rule]))
      const again = await runScenario(shortest, mistake, [rule])
      expect(again.violation?.rule).toBe(name)
      expect(new Set(shortest.edits.map(({ person }) => person)).size).toBe(1)
      expect(shortest.faults.length).toBeLessThanOrEqual(3)
    })
  }
})
