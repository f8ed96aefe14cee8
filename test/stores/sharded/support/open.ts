// A store over SQLite shards in memory.
import type { Claim } from '../../../../src/ports/claim.ts'
import type { DueClaim, Store } from '../../../../src/ports/store.ts'
import { openShardedStore } from '../../../../src/stores/sharded/sharded-store.ts'
import { openSharedSqliteStore, openSqliteStore } from '../../../../src/stores/sqlite/sqlite-store.ts'
import { turn } from '../../../support/fixtures.ts'

export function openShards(count: number) {
  const files = Array.from({ length: count }, () => openSharedSqliteStore(':memory:', ''))
  const stores = files.map((file) => apart(file.store))
  const registry = apart(openSqliteStore(':memory:'))
  // Another object for each call, as a store behind RPC may be.
  const shards = { count: () => count, store: (index: number) => ({ ...stores[index]! }) }
  async function deleteRow(table: string, id: string): Promise<void> {
    for (const { db } of files) db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id)
  }
  return { store: openShardedStore({ shards, registry }), stores, registry, deleteRow }
}

/** Each call takes a turn of the event loop, as a call of another object does: callers interleave. */
function apart(store: Store): Store {
  const calls = Object.entries(store).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      await turn()
      return (method as (...args: unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(calls)
}

/** Claims in one shard after the other, as if one engine served them all. */
export function claimingAll(store: Store, stores: readonly Store[]): Store {
  async function claimDue(claim: DueClaim): Promise<Claim[]> {
    const claims: Claim[] = []
    for (const shard of stores) {
      if (claims.length < claim.limit)
        claims.push(...(await shard.claimDue({ ...claim, limit: claim.limit - claims.length })))
    }
    return claims
  }
  return { ...store, claimDue }
}
