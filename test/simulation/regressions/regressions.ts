// Scenarios that once broke an invariant, shrunk. Stored as data: a seed gives another scenario as soon as the generator
// changes. Each is run with several orders of concurrent steps, since one order alone may stop reproducing the error.
import { readdirSync, readFileSync } from 'node:fs'
import type { Scenario } from '../scenario.ts'

/** `orders`: seeds of the orders in which the scenario broke an invariant. */
type Regression = { was: string; orders: number[]; scenario: Omit<Scenario, 'seed'> }

const folder = new URL('./', import.meta.url)

export const REGRESSIONS: readonly { was: string; scenarios: Scenario[] }[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const { was, orders, scenario } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Regression
    return { was, scenarios: orders.map((seed) => ({ ...scenario, seed })) }
  })
