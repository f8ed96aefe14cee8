// API keys and their scopes. Only the hash of a key is stored, never the key.
import { type ParsedLine, parseLine } from '../formats/line.ts'

export const SCOPES = ['read', 'write', 'admin'] as const
/** Each scope includes the scopes before it. */
export type Scope = (typeof SCOPES)[number]

export function parseKeyName(text: string): ParsedLine {
  return parseLine(text, { what: 'The name', max: 100 })
}

/** How many address ranges a key may have. */
export const RANGES_MAX = 20

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

/** Whether the key is accepted: neither revoked nor expired. */
export function isActive({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt)
}

export function allows(scope: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)
}
