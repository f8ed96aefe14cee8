// Parts of an engine that never change: one destination, and no stored templates.

import { ENVIRONMENT_CHANNEL, NO_LIMITS } from '../../src/domain/settings/channel.ts'
import { NO_LEASES } from '../../src/domain/settings/limit-leases.ts'
import type { Destination, Destinations } from '../../src/engine/deliver/destinations.ts'
import { createSharedStates, type SharedStates } from '../../src/engine/deliver/shared-states.ts'
import type { Templates } from '../../src/engine/deliver/templates.ts'
import type { Channel } from '../../src/ports/channel.ts'
import type { DestinationStore, LimitStore } from '../../src/ports/store.ts'
import { clockAt } from './fixtures.ts'

/** A process on its own: it may always probe. */
const NOTHING_STORED: DestinationStore = {
  listDestinations: async () => [],
  markDown: async () => {},
  markUp: async () => {},
  holdDestination: async () => {},
  releaseDestination: async () => {},
  claimProbe: async () => true,
}

/** The states of destinations in a process on its own. */
export const statesAlone = (store = NOTHING_STORED): SharedStates =>
  createSharedStates({
    store,
    clock: clockAt(0),
    telemetry: () => {},
    nameOf: (id) => id,
  })

/** Every lease is granted. */
export const ALWAYS_LEASED: LimitStore = {
  readLeases: async () => ({ leases: NO_LEASES, seen: '', databaseMs: null }),
  writeLeases: async () => true,
}

/** Every event goes to this channel. */
export function onlyDestination(channel: Channel): Destinations {
  const destination: Destination = {
    id: ENVIRONMENT_CHANNEL,
    name: 'only',
    kind: 'webhook',
    status: 'ACTIVE',
    limits: { ...NO_LIMITS },
    channel,
  }
  return {
    refresh: async () => {},
    knows: () => true,
    of: () => destination,
    list: () => [destination],
    suspend: (_, status) => {
      destination.status = status
    },
    states: statesAlone(),
    close: () => channel.close(),
  }
}

/** No stored templates: every event has the text of its occasion, or the built-in one. */
export const BUILT_IN_ONLY: Templates = {
  refresh: async () => {},
  choose: () => null,
}
