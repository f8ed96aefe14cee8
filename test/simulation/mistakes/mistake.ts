// A planted mistake, and wrappers of the product's parts that plant one.
import type { Channel, DeliveryResult } from '../../../src/ports/channel.ts'
import type { Claim, Render, Settlement } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'

export type { Mistake } from '../support/world.ts'

/** The store with some operations replaced. */
export function replaceIn<Role extends object>(store: Role, operations: Partial<Role>): Role {
  return new Proxy(store, { get: (inner, op) => operations[op as keyof Role] ?? inner[op as keyof Role] })
}

/** The store with every claim changed. */
export function claiming(store: Store, change: (claim: Claim, render: Render) => Claim): Store {
  return replaceIn(store, {
    claimDue: async (claim) => (await store.claimDue(claim)).map((claimed) => change(claimed, claim.render)),
  })
}

/** The store with every settlement changed. */
export function settling(
  store: Store,
  change: (settlement: Settlement) => Settlement | Promise<Settlement>,
): Store {
  return replaceIn(store, {
    settle: async (settlements) => store.settle(await Promise.all(settlements.map(change))),
  })
}

/** The channel with every result changed. */
export function answering(channel: Channel, change: (result: DeliveryResult) => DeliveryResult): Channel {
  return {
    ...channel,
    deliver: async (delivery, signal) => change(await channel.deliver(delivery, signal)),
  }
}
