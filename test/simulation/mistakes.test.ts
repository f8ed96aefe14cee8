// The simulation tests itself: it finds every planted mistake, and every invariant finds at least one.
import { describe, expect, it } from 'vitest'
import { generate } from './generate/generate.ts'
import { MISTAKES } from './mistakes/mistakes.ts'
import { INVARIANTS } from './rules/invariants.ts'
import { type Run, runScenario } from './run.ts'
import { shrink } from './shrink.ts'
import type { Mistake } from './support/world.ts'

/** A mistake must be found within this many seeds. */
const SEEDS_PER_MISTAKE = 100

/** Seeds that found a mistake before, where it takes many. They are tried first; a change of the generator makes them useless. */
const LIKELY_SEEDS: Readonly<Record<string, number>> = {
  'redelivered-in-one-batch': 67,
  'ended-birthday-kept': 61,
  'expired-lease-is-used': 53,
  'gone-ignored': 50,
  'every-missed-year-sent': 45,
  'version-unchecked': 34,
  'due-time-by-old-offset': 22,
  'completed-task-reminded': 18,
  'sleeps-by-the-clock': 17,
  'lost-claim-reported-as-held': 16,
  'quiet-hours-ignored': 15,
  'year-zero-greeted': 9,
  'once-repeated': 9,
  'failed-call-hangs': 9,
  'rejection-by-queue-ignored': 8,
  'permanent-rejection-retried': 8,
}

async function findMistake(mistake: Mistake, rules = INVARIANTS): Promise<Run | null> {
  const likely = LIKELY_SEEDS[mistake.name]
  const seeds = Array.from({ length: SEEDS_PER_MISTAKE }, (_, index) => index + 1)
  for (const seed of likely === undefined ? seeds : [likely, ...seeds]) {
    const run = await runScenario(generate(seed), mistake, rules)
    if (run.violation !== null) return run
  }
  return null
}

/** By the name of an invariant: a mistake that it was the first to find, and the seed. */
const seen = new Map<string, { mistake: Mistake; seed: number }>()

describe('the simulation', () => {
  for (const mistake of MISTAKES) {
    it(`finds the planted mistake ${mistake.name}: ${mistake.description}`, async () => {
      const run = await findMistake(mistake)
      expect(mistake.breaks).toContain(run?.violation?.rule)
      seen.set(run!.violation!.rule, { mistake, seed: run!.scenario.seed })
    })
  }

  for (const rule of INVARIANTS) {
    it(`finds a mistake by the invariant "${rule.name}" alone: ${rule.description}`, async () => {
      const known = seen.get(rule.name)
      const mistakes = MISTAKES.filter(({ breaks }) => breaks.includes(rule.name))
      let run = known ? await runScenario(generate(known.seed), known.mistake, [rule]) : null
      for (const mistake of mistakes) run ??= await findMistake(mistake, [rule])
      expect(run?.violation?.rule).toBe(rule.name)
    })
  }

  for (const name of ['permanent-rejection-retried', 'dead-letter-dropped']) {
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
