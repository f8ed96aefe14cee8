// Finds a seed whose scenario reveals a planted mistake, and remembers it.
import { readFileSync, writeFileSync } from 'node:fs'
import { generate } from '../generate/generate.ts'
import { ACCOUNT_RULES } from '../rules/accounts.ts'
import { INVARIANTS } from '../rules/invariants.ts'
import type { Rule } from '../rules/rule.ts'
import { type Run, runScenario } from '../run.ts'
import type { Mistake } from '../support/world.ts'
import { FOUND_BY_LEDGER } from './by-ledger.ts'
import { MISTAKES } from './mistakes.ts'

/** A mistake must be found within this many seeds. */
const SEEDS_PER_MISTAKE = 100

/** Seeds that found a mistake, by all invariants, by one alone, and by those of the ledger. They are tried first; a change of the generator makes them useless, not wrong. */
type Known = {
  mistakes: Record<string, number>
  invariants: Record<string, { mistake: string; seed: number }>
  /** `from`: the ledger begins then, where the scenario itself has it begin when the effect of the mistake is gone. */
  ledger: Record<string, { seed: number; from?: string }>
}

const FILE = new URL('found-by.json', import.meta.url)
const known: Known = JSON.parse(readFileSync(FILE, 'utf8'))

export function findMistake(mistake: Mistake): Promise<Run | null> {
  return find(mistake, INVARIANTS, known.mistakes[mistake.name])
}

/** A run in which the ledger reveals the mistake, without the other invariants. */
export async function findByLedger(mistake: Mistake): Promise<Run | null> {
  const { seed, from } = known.ledger[mistake.name] ?? {}
  if (seed === undefined || from === undefined) return find(mistake, ACCOUNT_RULES, seed)
  const scenario = generate(seed)
  const ledger = { ...scenario.ledger!, from: Date.parse(from) }
  return runScenario({ ...scenario, ledger }, mistake, ACCOUNT_RULES)
}

/** A run in which the invariant alone reveals one of the mistakes that break it. */
export async function findByAlone(rule: Rule): Promise<Run | null> {
  const first = known.invariants[rule.name]
  const breaking = MISTAKES.filter(({ breaks }) => breaks.includes(rule.name))
  for (const mistake of breaking.sort((a, b) => rank(a) - rank(b))) {
    const run = await find(mistake, [rule], first?.mistake === mistake.name ? first.seed : undefined)
    if (run !== null) return run
  }
  return null

  function rank({ name }: Mistake): number {
    return name === first?.mistake ? 0 : 1
  }
}

async function find(mistake: Mistake, rules: readonly Rule[], first?: number): Promise<Run | null> {
  const seeds = Array.from({ length: SEEDS_PER_MISTAKE }, (_, index) => index + 1)
  for (const seed of first === undefined ? seeds : [first, ...seeds]) {
    const run = await runScenario(generate(seed), mistake, rules)
    if (run.violation !== null) return run
  }
  return null
}

/** Writes the seeds that find each mistake now. `report` receives the name of each mistake and invariant. */
export async function recordSeeds(report: (name: string) => void): Promise<void> {
  const found: Known = { mistakes: {}, invariants: {}, ledger: {} }
  for (const mistake of MISTAKES) {
    report(mistake.name)
    const run = await findMistake(mistake)
    if (run === null) continue
    const { seed } = run.scenario
    found.mistakes[mistake.name] = seed
    known.invariants[run.violation!.rule] ??= { mistake: mistake.name, seed }
  }
  for (const rule of INVARIANTS) {
    report(rule.name)
    const run = await findByAlone(rule)
    if (run !== null) found.invariants[rule.name] = { mistake: run.mistake!.name, seed: run.scenario.seed }
  }
  for (const mistake of MISTAKES.filter(({ name }) => FOUND_BY_LEDGER.some((one) => one === name))) {
    report(`${mistake.name} by the ledger`)
    const run = await findByLedger(mistake)
    const { from } = known.ledger[mistake.name] ?? {}
    if (run !== null)
      found.ledger[mistake.name] = { seed: run.scenario.seed, ...(from !== undefined && { from }) }
  }
  writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`)
}
