// Access settings of an app under test. There is no key unless the test creates one.

import { createKeyring, type KeysDeps } from '../../../src/app/access/api-keys.ts'
import { createSessions } from '../../../src/app/access/sessions.ts'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import { parseIpRange } from '../../../src/domain/access/ip-address.ts'
import { sha256Hex } from '../../../src/domain/formats/sha256.ts'
import type { Access } from '../../../src/http/server/auth.ts'
import { createGuessLimiter } from '../../../src/http/server/caller/guess-limit.ts'
import { createRateLimiter } from '../../../src/http/server/rate-limit.ts'
import type { Store } from '../../../src/ports/store.ts'

export const ENVIRONMENT_KEY = 'a-key-of-the-environment'
export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
export const ADMIN = bearer(ENVIRONMENT_KEY)

/** The cookie of a response that signed a browser in, as the browser sends it. */
export function cookieOf({ headers }: { headers: Headers }): { Cookie: string } {
  return { Cookie: headers.getSetCookie().at(-1)!.split(';')[0]! }
}

export type AccessOptions = {
  environmentKey?: string
  perMinute?: number
  local?: false
  publicUrl?: string
  trustedProxies?: readonly string[]
}

export function accessFor(
  { store, clock, planner, telemetry }: AppDeps<Store>,
  { environmentKey, perMinute, local, publicUrl, trustedProxies = [] }: AccessOptions = {},
): { keys: KeysDeps; access: Access } {
  const given =
    environmentKey === undefined
      ? []
      : [{ name: 'env', scope: 'admin' as const, hash: sha256Hex(environmentKey) }]
  let made = 0
  const keyring = createKeyring({ store, clock, telemetry }, given)
  const newToken = () => String(++made).padStart(43, 't')
  return {
    keys: { store, clock, ids: planner.ids, newKey: () => `terce_${String(++made).padStart(43, 'k')}` },
    access: {
      keyring,
      sessions: createSessions({ store, clock, telemetry, keyring, ids: planner.ids, newToken }),
      publicUrl: publicUrl ?? null,
      limiter: perMinute === undefined ? null : createRateLimiter(clock, perMinute),
      guesses: createGuessLimiter(clock),
      trustedProxies: trustedProxies.map((range) => parseIpRange(range)!),
      local: local ?? true,
      remoteAddress: (c) => c.req.header('X-Test-Address') ?? '127.0.0.1',
    },
  }
}
