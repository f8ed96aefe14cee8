// Finds a seed whose scenario reveals the mistake that is planted for an invariant, and remembers it.
import { readFileSync, writeFileSync } from 'node:fs'
import { generate } from '../generate/generate.ts'
import { INVARIANTS } from '../rules/invariants.ts'
import type { Rule } from '../rules/rule.ts'
import { type Run, runScenario } from '../run.ts'
import type { Mistake } from '../support/world.ts'
import { MISTAKES } from './mistakes.ts'

/** A mistake must be found within this many seeds. */
const SEEDS_PER_MISTAKE = 100

const FILE = new URL('found-by.json', import.meta.url)
/** By invariant: the seed that found its mistake. It is tried first; a change of the generator makes it useless, not wrong. */
const known: Record<string, number> = JSON.parse(readFileSync(FILE, 'utf8'))

export function mistakeFor({ name }: Rule): Mistake | undefined {
  return MISTAKES.find(({ breaks }) => breaks.includes(name))
}

/** A run in which the invariant alone, without the others, finds the mistake that is planted for it. */
export async function findByAlone(rule: Rule): Promise<Run | null> {
  const mistake = mistakeFor(rule)
  if (mistake === undefined) return null
  const seeds = Array.from({ length: SEEDS_PER_MISTAKE }, (_, index) => index + 1)
  for (const seed of [known[rule.name] ?? 1, ...seeds]) {
    const run = await runScenario(generate(seed), mistake, [rule])
    if (run.violation !== null) return run
  }
  return null
}

/** Writes the seeds that find each mistake now. `report` receives the name of each invariant. */
export async function recordSeeds(report: (name: string) => void): Promise<void> {
  const found: Record<string, number> = {}
  for (const rule of INVARIANTS) {
    report(rule.name)
    const run = await findByAlone(rule)
    if (run !== null) found[rule.name] = run.scenario.seed
  }
  writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`)
}
