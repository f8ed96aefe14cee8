// Who may call the API, and what for. A key itself is never kept: only its hash.

export const SCOPES = ['read', 'write', 'admin'] as const
/** Each includes the ones before it. */
export type Scope = (typeof SCOPES)[number]

/** What a key may be called: 1 to 100 characters, none of them a control character. */
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
}

export function allows(scope: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)
}
