// Sessions of browsers that signed in with an API key. A session has the scope of its key, ends with it, and is never
// accepted as a key. Only the hash of a session's token is stored.

import { SESSION_IDLE_MS, SESSION_MAX_MS, type Session, sessionEnd } from '../../domain/access/session.ts'
import type { Ids } from '../../domain/events/uuid.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AccessStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { createTtlCache } from '../cached.ts'
import {
  isSame,
  type Keyring,
  type KnownKey,
  NOTED_EVERY_MS,
  TTL_FOR_UNKNOWN_MS,
  TTL_MS,
} from './api-keys.ts'

/** A session that is accepted now, and its key. */
export type KnownSession = { session: Session; key: KnownKey }

export type Sessions = {
  /** Null if the token is unknown, the session has ended, or its key is no longer accepted. */
  check(token: string): Promise<KnownSession | null>
  /** Signs a browser in. The token is returned once and not stored. */
  open(key: KnownKey): Promise<{ token: string; session: Session }>
  /** Signs the browser out: its token is not accepted again. False if there is no such session. */
  revoke(id: string): Promise<boolean>
  /** Signs out every browser that signed in with the key, and returns how many. */
  revokeAll(keyId: string): Promise<number>
}

type SessionsDeps = {
  store: AccessStore
  clock: Clock
  telemetry: Telemetry
  keyring: Keyring
  ids: Ids
  /** A new token of 256 bits. */
  newToken: () => string
}

/** Bounds the cached list: one more sign-in with a key ends the session that was unused for longest. */
const MOST_FOR_KEY = 100

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, clock, telemetry, keyring, ids, newToken } = deps
  const stored = createTtlCache(clock, TTL_MS, () => store.listSessions())

  function note(session: Session): void {
    const now = clock.now()
    if (now - session.lastUsedAt < NOTED_EVERY_MS) return
    session.lastUsedAt = now
    store
      .touchSessions([{ id: session.id, at: now }])
      .catch((error) => telemetry({ kind: 'error', operation: 'record-session-use', error, retryInMs: null }))
  }

  async function find(token: string): Promise<Session | undefined> {
    const hash = sha256Hex(token)
    const inList = (sessions: readonly Session[]) => sessions.filter((one) => isSame(one.hash, hash))[0]
    return inList(await stored.get()) ?? inList(await stored.get(TTL_FOR_UNKNOWN_MS))
  }

  /** The key of the session; null if the session or its key is no longer accepted. */
  async function keyOf(session: Session): Promise<KnownKey | null> {
    return clock.now() < sessionEnd(session) ? keyring.keyOfSession(session.keyId) : null
  }

  async function sessionsOf(keyId: string): Promise<Session[]> {
    return (await store.listSessions()).filter((session) => session.keyId === keyId)
  }

  async function makeRoom(keyId: string): Promise<void> {
    await removeEndedSessions(deps)
    const own = await sessionsOf(keyId)
    const byUse = own.sort((a, b) => a.lastUsedAt - b.lastUsedAt)
    for (const { id } of byUse.slice(0, Math.max(0, own.length - MOST_FOR_KEY + 1)))
      await store.removeSession(id)
  }

  return {
    async check(token) {
      const session = await find(token)
      const key = session === undefined ? null : await keyOf(session)
      if (session === undefined || key === null) return null
      note(session)
      return { session, key }
    },
    async open(key) {
      await makeRoom(key.sessionKey)
      const now = clock.now()
      const token = newToken()
      const session: Session = {
        id: ids(now),
        hash: sha256Hex(token),
        keyId: key.sessionKey,
        createdAt: now,
        lastUsedAt: now,
      }
      await store.createSession(session)
      stored.clear()
      return { token, session }
    },
    async revoke(id) {
      const removed = await store.removeSession(id)
      stored.clear()
      return removed
    },
    async revokeAll(keyId) {
      const own = await sessionsOf(keyId)
      const removed = await Promise.all(own.map(({ id }) => store.removeSession(id)))
      stored.clear()
      return removed.filter(Boolean).length
    },
  }
}

/** Returns how many sessions had ended. */
export function removeEndedSessions({
  store,
  clock,
}: Pick<SessionsDeps, 'store' | 'clock'>): Promise<number> {
  const now = clock.now()
  return store.removeOldSessions({ lastUsed: now - SESSION_IDLE_MS, created: now - SESSION_MAX_MS })
}
