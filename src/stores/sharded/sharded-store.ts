// A store over many: each person is in one shard, found by the bucket in their ids; settings are in the registry.
import { isShardCount } from '../../domain/events/bucket.ts'
import type { Store } from '../../ports/store.ts'
import { dashboardOperations } from './dashboard.ts'
import { eventOperations } from './events.ts'
import { journalOperations } from './journal.ts'
import { ledgerOperations } from './ledger.ts'
import { listOperations } from './lists.ts'
import { peopleOperations } from './people.ts'
import { routesTo, type Shards } from './routes.ts'
import { settingsOperations } from './settings.ts'

export type { Shards } from './routes.ts'

const IN_REGISTRY = [
  ...(['listChannels', 'saveChannel', 'setChannelStatus', 'markRecovered'] as const),
  ...(['listTemplates', 'saveTemplate', 'removeTemplate'] as const),
  ...(['listApiKeys', 'createApiKey', 'revokeApiKey', 'touchApiKeys'] as const),
  ...(['listSessions', 'createSession', 'removeSession', 'touchSessions', 'removeOldSessions'] as const),
  ...(['lastAuditEntry', 'appendAuditEntry', 'listAuditEntries', 'readAuditEntries'] as const),
  ...(['lastAuditEntryBefore', 'removeAuditEntries'] as const),
  ...(['openLedgerDay', 'closeLedgerDay', 'listLedgerDays', 'markLedgerAlarm'] as const),
  ...(['listLedgerKeys', 'saveLedgerKey'] as const),
  ...(['recordWorker', 'removeWorker', 'listWorkers'] as const),
] as const satisfies (keyof Store)[]

/**
 * `claimDue`, what a replan in parts needs and the accounts of people are not available: each shard has an engine and an account
 * of its own.
 */
export function openShardedStore({ shards, registry }: { shards: Shards; registry: Store }): Store {
  if (!isShardCount(shards.count())) throw new Error('The number of shards is not a power of two.')
  const routes = routesTo(shards)
  return {
    ...pick(registry, IN_REGISTRY),
    ...settingsOperations(registry, routes),
    ...journalOperations(registry, routes),
    ...peopleOperations(routes),
    ...listOperations(routes),
    ...eventOperations(routes),
    ...dashboardOperations(routes),
    ...ledgerOperations(registry, routes),
    // Of one shard: a readiness probe comes every few seconds, and each check writes.
    async check() {
      await registry.check()
      await routes.store(0).check()
    },
    async close() {
      await routes.each((store) => store.close())
      await registry.close()
    },
  }
}

/** Calls the methods on the store, which may be the stub of a remote object. */
function pick<K extends keyof Store>(store: Store, names: readonly K[]): Pick<Store, K> {
  const calls = names.map((name) => [
    name,
    (...args: unknown[]) => (store[name] as (...args: unknown[]) => unknown)(...args),
  ])
  return Object.fromEntries(calls) as Pick<Store, K>
}
