// Creates, lists, revokes and checks API keys. Only hashes of keys are stored.

import { type ApiKey, isActive, type Scope } from '../../domain/access/api-key.ts'
import { type IpRange, parseIpRange } from '../../domain/access/ip-address.ts'
import type { Ids } from '../../domain/events/uuid.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AccessStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { createTtlCache } from '../cached.ts'

export type KeysDeps = {
  store: AccessStore
  clock: Clock
  ids: Ids
  /** A new key: `terce_` and 256 bits. */
  newKey: () => string
}

export type NewKey = Pick<ApiKey, 'name' | 'scope'> & Partial<Pick<ApiKey, 'expiresAt' | 'allowedFrom'>>

export async function createKey(
  deps: KeysDeps,
  { name, scope, expiresAt = null, allowedFrom = [] }: NewKey,
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
    expiresAt,
    allowedFrom,
  }
  if (!(await deps.store.createApiKey(record)))
    throw new Error('The random source returned the same API key twice.')
  return { key, record }
}

/** False if there is no such key, or it was revoked before. */
export function revokeKey({ store, clock }: KeysDeps, id: string): Promise<boolean> {
  return store.revokeApiKey(id, clock.now())
}

/** A key that is accepted now. */
export type KnownKey = Pick<ApiKey, 'id' | 'name' | 'scope'> & {
  /** Names the key in a session. The text of a key in the environment may be replaced under its name, which ends its sessions. */
  sessionKey: string
  /** The addresses that it is accepted from; empty for any. The keyring does not know the caller's address. */
  allowedFrom: readonly IpRange[]
}

export type Checked =
  /** No key was ever created. Revoking the last key does not lead back here. */
  { kind: 'open' } | { kind: 'known'; key: KnownKey } | { kind: 'unknown' }

export type Keyring = {
  check(key: string | null): Promise<Checked>
  /** The key of a session; null if it is no longer accepted. */
  keyOfSession(sessionKey: string): Promise<KnownKey | null>
  /** Drops the cached keys, after this process created or revoked a key. */
  forget(): void
}

/** A key from the environment: never stored. */
export type GivenKey = { name: string; scope: Scope; hash: string }

/** How long a revoked key or session may still be accepted. */
export const TTL_MS = 5_000
/** How long a new key may be rejected, and the first key unnoticed: keys are read again, but not for every request. */
export const TTL_FOR_UNKNOWN_MS = 250
/** The resolution of `lastUsedAt`. */
export const NOTED_EVERY_MS = 60_000

export function createKeyring(
  deps: { store: AccessStore; clock: Clock; telemetry: Telemetry },
  given: readonly GivenKey[],
): Keyring {
  const { store, clock, telemetry } = deps
  const fromEnvironment = given.map((key) => ({ hash: key.hash, key: environmentKey(key) }))
  const stored = createTtlCache(clock, TTL_MS, () => store.listApiKeys())

  function note(key: ApiKey): void {
    const now = clock.now()
    if (key.lastUsedAt !== null && now - key.lastUsedAt < NOTED_EVERY_MS) return
    key.lastUsedAt = now
    store
      .touchApiKeys([{ id: key.id, at: now }])
      .catch((error) => telemetry({ kind: 'error', operation: 'record-key-use', error, retryInMs: null }))
  }

  /** The stored key, if it is accepted now. */
  function accept(found: ApiKey | undefined): KnownKey | undefined {
    if (found === undefined || !isActive(found, clock.now())) return undefined
    note(found)
    const { id, name, scope } = found
    const allowedFrom = found.allowedFrom.flatMap((range) => parseIpRange(range) ?? NOWHERE)
    return { id, name, scope, sessionKey: id, allowedFrom }
  }

  function find(keys: readonly ApiKey[], hash: string): KnownKey | undefined {
    const own = accept(keys.filter((one) => isSame(one.hash, hash))[0])
    return own ?? fromEnvironment.filter((one) => isSame(one.hash, hash))[0]?.key
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
    async keyOfSession(sessionKey) {
      const given = fromEnvironment.find(({ key }) => key.sessionKey === sessionKey)
      if (given !== undefined) return given.key
      const inList = (keys: readonly ApiKey[]) => keys.find(({ id }) => id === sessionKey)
      return accept(inList(await stored.get()) ?? inList(await stored.get(TTL_FOR_UNKNOWN_MS))) ?? null
    },
    forget: () => stored.clear(),
  }
}

/** A range in the store that this release cannot read matches no address, so that the key is not accepted from everywhere. */
const NOWHERE: IpRange = { bits: 32, first: 1n, last: 0n }

function environmentKey({ name, scope, hash }: GivenKey): KnownKey {
  const id = `environment:${name}`
  // Stored with the session: 16 bits of the hash tell a replaced key apart, and too many guesses fit them to confirm one.
  return { id, name, scope, sessionKey: `${id}#${hash.slice(0, 4)}`, allowedFrom: [] }
}

/** Compares in constant time. */
export function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
