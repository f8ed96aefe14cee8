// Sessions of browsers that signed in. Only the hash of the cookie's value is stored.

export type Session = {
  id: string
  /** SHA-256 of the token in the cookie, in hexadecimal. */
  hash: string
  /** The key that the browser signed in with; the session has its scope and ends with it. */
  keyId: string
  createdAt: number
  /** To the minute. */
  lastUsedAt: number
}

const HOUR_MS = 3_600_000
/** A session ends after this long without a request. */
export const SESSION_IDLE_MS = 12 * HOUR_MS
/** A session ends this long after sign-in, however much it is used. */
export const SESSION_MAX_MS = 30 * 24 * HOUR_MS

/** When the session ends if there is no further request. */
export function sessionEnd({ createdAt, lastUsedAt }: Pick<Session, 'createdAt' | 'lastUsedAt'>): number {
  return Math.min(lastUsedAt + SESSION_IDLE_MS, createdAt + SESSION_MAX_MS)
}
