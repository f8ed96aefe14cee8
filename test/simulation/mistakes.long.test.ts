// The simulation tests itself: it finds every planted mistake, and every invariant finds at least one.
import { describe, expect, it } from 'vitest'
import { isInPart } from '../support/part.ts'
import { findByAlone, findMistake } from './mistakes/find.ts'
import { MISTAKES } from './mistakes/mistakes.ts'
import { INVARIANTS } from './rules/invariants.ts'
import { runScenario } from './run.ts'
import { shrink } from './shrink.ts'

describe('the simulation', () => {
  for (const mistake of MISTAKES.filter((_, i) => isInPart(i))) {
    it(`finds the planted mistake ${mistake.name}: ${mistake.description}`, async () => {
      const run = await findMistake(mistake)
      expect(mistake.breaks).toContain(run?.violation?.rule)
    })
  }

  for (const rule of INVARIANTS.filter((_, i) => isInPart(i))) {
    it(`finds a mistake by the invariant "${rule.name}" alone: ${rule.description}`, async () => {
      const run = await findByAlone(rule)
      expect(run?.violation?.rule).toBe(rule.name)
    })
  }

  for (const name of ['permanent-rejection-retried', 'dead-letter-dropped'].filter((_, i) => isInPart(i))) {
    it(`shrinks the scenario that found ${name} to one person and at most three faults`, async () => {
      const mistake = MISTAKES.find((one) => one.name === name)!
      const found = (await findMistake(mistake))!
      const shortest = await shrink(found.scenario, (candidate) => runScenario(candidate, mistake))
      const again = await runScenario(shortest, mistake)
      expect(again.violation?.rule).toBe(found.violation!.rule)
      expect(new Set(shortest.edits.map(({ person }) => person)).size).toBe(1)
      expect(shortest.faults.length).toBeLessThanOrEqual(3)
    })
  }
})
