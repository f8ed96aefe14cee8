// Access: API keys and the sessions of the dashboard.
import type { ApiKey } from '../../domain/access/api-key.ts'
import type { Session } from '../../domain/access/session.ts'

export type AccessStore = {
  listApiKeys(): Promise<ApiKey[]>

  /** False if a key with that hash exists. */
  createApiKey(key: ApiKey): Promise<boolean>

  /** False if it does not exist or was revoked before. */
  revokeApiKey(id: string, at: number): Promise<boolean>

  /** Records when keys were last used. */
  touchApiKeys(used: readonly { id: string; at: number }[]): Promise<void>

  listSessions(): Promise<Session[]>

  createSession(session: Session): Promise<void>

  /** False if it does not exist. */
  removeSession(id: string): Promise<boolean>

  /** Records when sessions were last used. Never moves the time back, and never brings a removed session back. */
  touchSessions(used: readonly { id: string; at: number }[]): Promise<void>

  /** Removes sessions last used, or created, before an instant, and returns how many. */
  removeOldSessions(before: { lastUsed: number; created: number }): Promise<number>
}
