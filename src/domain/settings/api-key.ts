// API keys and their scopes. Only the hash of a key is stored, never the key.

export const SCOPES = ['read', 'write', 'admin'] as const
/** Each scope includes the scopes before it. */
export type Scope = (typeof SCOPES)[number]

/** The name of a key: 1 to 100 characters, no control characters. */
export const KEY_NAME = /^\P{Cc}{1,100}$/u

export type ApiKey = {
  id: string
  name: string
  /** SHA-256 of the key, in hexadecimal. */
  hash: string
  scope: Scope
  createdAt: number
  lastUsedAt: number | null
  revokedAt: number | null
  /** Null for a key that does not expire. */
  expiresAt: number | null
  /** The address ranges that the key is accepted from; empty for any address. */
  allowedFrom: readonly string[]
}

export function allows(scope: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)
}
