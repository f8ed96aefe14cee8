// A mistake built in on purpose, around the parts of the product: the simulation must find it.
import type { Store } from '../../../src/ports/store.ts'

export type { Bug, BugParts } from '../support/world.ts'

/** The store with some operations replaced. */
export function replaceIn(store: Store, operations: Partial<Store>): Store {
  return new Proxy(store, { get: (inner, op: keyof Store) => operations[op] ?? inner[op] })
}
