// What every step of a scale run gets, and the people that several steps add.
import type { Store } from '../../src/ports/store.ts'
import { personDueAt } from '../engines/people.ts'
import type { Home, ProductDeps } from '../product/home.ts'
import type { HomeName } from '../workloads.ts'

export type ScaleSizes = {
  /** People with an event at one instant. */
  spike: number
  claims: number
  /** People that `terce import` adds. They live in the zone that is replanned. */
  imported: number
  /** For how long other people have events during the replan. */
  othersMs: number
}

export type ScaleHome = ProductDeps & { name: HomeName; home: Home; people: number; sizes: ScaleSizes }

const BATCH = 1_000

/** Adds people who each have one event, at the given instants, and live by UTC. */
export async function addDue(store: Store, instants: readonly number[]): Promise<void> {
  for (let from = 0; from < instants.length; from += BATCH)
    await store.createUsers(instants.slice(from, from + BATCH).map((at) => personDueAt(store, at)))
}
