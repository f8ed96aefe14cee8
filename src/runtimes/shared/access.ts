// The API keys of a Node process: stored ones and ones from the environment. Without any, only this machine has access.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createKeyring, type KeysDeps } from '../../app/access/api-keys.ts'
import { createSessions } from '../../app/access/sessions.ts'
import { isLoopback } from '../../domain/access/ip-address.ts'
import { createIds } from '../../domain/events/uuid.ts'
import type { Access } from '../../http/server/auth.ts'
import { createGuessLimiter } from '../../http/server/caller/guess-limit.ts'
import { createRateLimiter } from '../../http/server/rate-limit.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { type Config, ConfigError } from '../config/config.ts'
import type { Database } from '../node/database.ts'

export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

export function keysOf({ store, clock }: Pick<Database, 'store' | 'clock'>): KeysDeps {
  return { store, clock, ids: createIds(Math.random), newKey: () => `terce_${randomToken()}` }
}

export function accessOf(config: Config, { store, clock }: Database, telemetry: Telemetry): Access {
  const keyring = createKeyring({ store, clock, telemetry }, config.apiKeys)
  const ids = createIds(Math.random)
  let isReported = false
  return {
    keyring,
    sessions: createSessions({ store, clock, telemetry, keyring, ids, newToken: randomToken }),
    publicUrl: config.publicUrl,
    limiter: config.rateLimit === null ? null : createRateLimiter(clock, config.rateLimit),
    guesses: createGuessLimiter(clock),
    trustedProxies: config.trustedProxies,
    local: isLoopback(config.host),
    remoteAddress: (c) => {
      if (
        !isReported &&
        config.trustedProxies.length === 0 &&
        c.req.header('X-Forwarded-For') !== undefined
      ) {
        isReported = true
        telemetry({ kind: 'untrusted-proxy' })
      }
      return (c.env as { incoming?: IncomingMessage })?.incoming?.socket.remoteAddress ?? null
    },
  }
}

/** True if callers need no key. Throws if that would expose the API to the network. */
export async function isOpen(config: Config, { keyring, local }: Access): Promise<boolean> {
  const open = (await keyring.check(null)).kind === 'open'
  if (local || !open) return open
  throw new ConfigError([
    `HOST=${config.host} would let anybody on the network in: there is no API key. Create one with terce keys create --name first --scope admin, or set TERCE_API_KEYS.`,
  ])
}
