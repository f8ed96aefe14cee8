// A planted mistake: the simulation must find it.

export type { Mistake, MistakeParts } from '../support/world.ts'

/** The store with some operations replaced. */
export function replaceIn<Role extends object>(store: Role, operations: Partial<Role>): Role {
  return new Proxy(store, { get: (inner, op) => operations[op as keyof Role] ?? inner[op as keyof Role] })
}
