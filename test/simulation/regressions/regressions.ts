// Histories that once broke a promise, cut down to what it took. Kept as data: a seed would mean another history as soon as
// the generator learns more. Each is lived in several orders, since the first to break it may not stay the one.
import { readdirSync, readFileSync } from 'node:fs'
import type { Scenario } from '../scenario.ts'

/** `orders`: seeds in whose order of things it broke. */
type Kept = { was: string; orders: number[]; scenario: Omit<Scenario, 'seed'> }

const folder = new URL('./', import.meta.url)

export const REGRESSIONS: readonly { was: string; scenarios: Scenario[] }[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const { was, orders, scenario } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Kept
    return { was, scenarios: orders.map((seed) => ({ ...scenario, seed })) }
  })
