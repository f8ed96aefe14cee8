// Creates, lists, revokes and checks API keys. Only hashes of keys are stored.

import type { Ids } from '../../domain/events/uuid.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import type { ApiKey, Scope } from '../../domain/settings/api-key.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { createTtlCache } from '../cached.ts'

export type KeysDeps = {
  store: SettingsStore
  clock: Clock
  ids: Ids
  /** A new key: `terce_` and 256 bits. */
  newKey: () => string
}

export async function createKey(
  deps: KeysDeps,
  { name, scope }: { name: string; scope: Scope },
): Promise<{ key: string; record: ApiKey }> {
  const now = deps.clock.now()
  const key = deps.newKey()
  const record: ApiKey = {
    id: deps.ids(now),
    name,
    hash: sha256Hex(key),
    scope,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  }
  if (!(await deps.store.createApiKey(record)))
    throw new Error('The random source returned the same API key twice.')
  return { key, record }
}

/** False if there is no such key, or it was revoked before. */
export function revokeKey({ store, clock }: KeysDeps, id: string): Promise<boolean> {
  return store.revokeApiKey(id, clock.now())
}

export type Checked =
  /** No key was ever created. Revoking the last key does not lead back here. */
  { kind: 'open' } | { kind: 'known'; key: Pick<ApiKey, 'id' | 'scope'> } | { kind: 'unknown' }

export type Keyring = {
  check(key: string | null): Promise<Checked>
  /** Drops the cached keys, after this process created or revoked a key. */
  forget(): void
}

/** A key from the environment: never stored. */
export type GivenKey = { name: string; scope: Scope; hash: string }

/** How long a revoked key may still be accepted. */
const TTL_MS = 5_000
/** How long a new key may be rejected, and the first key unnoticed: keys are read again, but not for every request. */
const TTL_FOR_UNKNOWN_MS = 250
/** The resolution of `lastUsedAt`. */
const NOTED_EVERY_MS = 60_000

export function createKeyring(
  deps: { store: SettingsStore; clock: Clock; telemetry: Telemetry },
  given: readonly GivenKey[],
): Keyring {
  const { store, clock, telemetry } = deps
  const fromEnvironment = given.map(({ name, scope, hash }) => ({ id: `environment:${name}`, scope, hash }))
  const stored = createTtlCache(clock, TTL_MS, () => store.listApiKeys())

  function note(key: ApiKey): void {
    const now = clock.now()
    if (key.lastUsedAt !== null && now - key.lastUsedAt < NOTED_EVERY_MS) return
    key.lastUsedAt = now
    store
      .touchApiKeys([{ id: key.id, at: now }])
      .catch((error) => telemetry({ kind: 'error', operation: 'record-key-use', error, retryInMs: null }))
  }

  function find(keys: readonly ApiKey[], hash: string): Pick<ApiKey, 'id' | 'scope'> | undefined {
    const own = keys.filter((one) => isSame(one.hash, hash) && one.revokedAt === null)[0]
    if (own !== undefined) note(own)
    return own ?? fromEnvironment.filter((one) => isSame(one.hash, hash))[0]
  }

  return {
    async check(key) {
      const cached = await stored.get()
      // Without keys the API is open: the first key, created by another process, must close it soon.
      const keys = cached.length === 0 ? await stored.get(TTL_FOR_UNKNOWN_MS) : cached
      if (keys.length + fromEnvironment.length === 0) return { kind: 'open' }
      if (key === null) return { kind: 'unknown' }
      const hash = sha256Hex(key)
      const found = find(keys, hash) ?? find(await stored.get(TTL_FOR_UNKNOWN_MS), hash)
      return found === undefined ? { kind: 'unknown' } : { kind: 'known', key: found }
    },
    forget: () => stored.clear(),
  }
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
