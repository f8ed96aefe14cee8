// The harness proves itself: every mistake that is built in on purpose is found, and every invariant finds one.
import { describe, expect, it } from 'vitest'
import { generate } from './generate/generate.ts'
import { BUGS } from './mistakes/mistakes.ts'
import { INVARIANTS } from './rules/invariants.ts'
import { type History, live } from './run.ts'
import { shrink } from './shrink.ts'
import type { Bug } from './support/world.ts'

/** A mistake must show within so many histories. */
const SEEDS_PER_BUG = 100

async function findBug(bug: Bug, rules = INVARIANTS): Promise<History | null> {
  for (let seed = 1; seed <= SEEDS_PER_BUG; seed++) {
    const history = await live(generate(seed), bug, rules)
    if (history.violation !== null) return history
  }
  return null
}

/** By the name of an invariant: a mistake that it was the first to see, and where. */
const seen = new Map<string, { bug: Bug; seed: number }>()

describe('a mistake built in on purpose', () => {
  for (const bug of BUGS) {
    it(`is found: ${bug.words}`, async () => {
      const history = await findBug(bug)
      expect(bug.breaks).toContain(history?.violation?.rule)
      seen.set(history!.violation!.rule, { bug, seed: history!.scenario.seed })
    })
  }

  for (const rule of INVARIANTS) {
    it(`can break this, looked at alone: ${rule.words}`, async () => {
      const known = seen.get(rule.name)
      const bugs = BUGS.filter(({ breaks }) => breaks.includes(rule.name))
      let history = known ? await live(generate(known.seed), known.bug, [rule]) : null
      for (const bug of bugs) history ??= await findBug(bug, [rule])
      expect(history?.violation?.rule).toBe(rule.name)
    })
  }

  for (const name of ['refusal-retried', 'deadLetter-only-acks']) {
    it(`is told in a history far shorter than the one it was found in: ${name}`, async () => {
      const bug = BUGS.find((one) => one.name === name)!
      const found = (await findBug(bug))!
      const shortest = await shrink(found.scenario, (candidate) => live(candidate, bug))
      const again = await live(shortest, bug)
      expect(again.violation?.rule).toBe(found.violation!.rule)
      expect(new Set(shortest.edits.map(({ person }) => person)).size).toBe(1)
      expect(shortest.faults.length).toBeLessThanOrEqual(3)
    })
  }
})
