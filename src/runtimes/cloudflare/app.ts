// The API on Workers, over any store.
import { createKeyring, type Keyring } from '../../app/access/api-keys.ts'
import { createAudit } from '../../app/access/audit.ts'
import { createSessions, type Sessions } from '../../app/access/sessions.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { createReadiness } from '../../app/readiness.ts'
import { createApp } from '../../http/app.ts'
import { createGuessLimiter } from '../../http/server/caller/guess-limit.ts'
import { createRateLimiter } from '../../http/server/rate-limit.ts'
import { keysOf, randomToken } from '../shared/access.ts'
import { appDepsOf } from '../shared/serverless.ts'
import type { CloudflareRuntime } from './parts.ts'
import { bundledWebFiles } from './web-files.ts'

/** Defined by scripts/build-cloudflare.ts. */
declare const TERCE_VERSION: string | undefined
const VERSION = typeof TERCE_VERSION === 'undefined' ? 'unbuilt' : TERCE_VERSION

export type CloudflareApp = ReturnType<typeof createApp>

export function makeApp(
  runtime: CloudflareRuntime,
  limits: Required<Pick<AppDeps, 'replanOnRequest' | 'openLimited'>>,
  check = () => runtime.store.check(),
): CloudflareApp {
  const { config, store, clock, planner, telemetry, channels } = runtime
  const { rateLimit, publicUrl, trustedProxies } = config
  const keyring = freshKeyring(() => createKeyring({ store, clock, telemetry }, config.apiKeys))
  const sessionsDeps = { store, clock, telemetry, keyring, ids: planner.ids, newToken: randomToken }
  return createApp({
    app: { ...appDepsOf(runtime), ...limits },
    inbox: null,
    keys: keysOf({ store, clock }),
    audit: createAudit({ store, clock, telemetry }),
    access: {
      keyring,
      sessions: freshSessions(() => createSessions(sessionsDeps)),
      publicUrl,
      limiter: rateLimit === null ? null : createRateLimiter(clock, rateLimit),
      guesses: createGuessLimiter(clock),
      trustedProxies,
      // A Worker is on the internet: a key is always required.
      local: false,
      remoteAddress: (c) => c.req.header('cf-connecting-ip') ?? null,
    },
    web: bundledWebFiles(),
    retries: config.retryPolicy.delaysMs,
    settings: config.settings,
    version: VERSION,
    metrics: null,
    channels,
    ready: createReadiness(clock, check, { sharesChecks: false }),
    onError: (error) => telemetry({ kind: 'error', operation: 'request', error, retryInMs: null }),
  })
}

/**
 * Reads the keys for each request. Requests must not share a query: the runtime cancels the query together with the request
 * that started it, and the other requests would wait for ever.
 */
function freshKeyring(make: () => Keyring): Keyring {
  return {
    check: (key) => make().check(key),
    keyOfSession: (sessionKey) => make().keyOfSession(sessionKey),
    forget() {},
  }
}

/** Reads the sessions for each request with a cookie, for the same reason. */
function freshSessions(make: () => Sessions): Sessions {
  return {
    check: (token) => make().check(token),
    open: (key) => make().open(key),
    revoke: (id) => make().revoke(id),
    revokeAll: (keyId) => make().revokeAll(keyId),
  }
}
