// Every operation of the OpenAPI document with every kind of credential, on both stores: a caller passes if the operation is
// open, or if the scope of its credential includes the scope in the document.
import { describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../../src/domain/access/api-key.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { ADMIN, bearer } from '../support/test-access.ts'
import { createKeyedApp, type Json, NO_ONE, type TestApp } from '../support/test-app.ts'

const stage = useStage()
const STORES = { SQLite: async () => openSqliteStore(':memory:'), PostgreSQL: () => stage.open() }

/** `scope`: null for a credential that gives no access. */
type Credential = { name: string; scope: Scope | null; headers: Record<string, string> }

async function credentialsOf(app: TestApp): Promise<Credential[]> {
  const create = async (scope: Scope, limits: object = {}) => {
    const { key, apiKey } = (await app.post('/key', { name: 'matrix', scope, ...limits }, ADMIN)).json
    const signedIn = await app.post('/session', { key })
    // No cookie for a key of other addresses.
    const Cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    return { key: key as string, id: apiKey.id as string, Cookie }
  }
  const revoked = await create('admin')
  const expired = await create('admin', { expiresAt: '2026-11-15T04:00:01.000Z' })
  const elsewhere = await create('admin', { allowedFrom: ['10.0.0.0/8'] })
  await app.send(`/key/${revoked.id}`, { method: 'DELETE', headers: ADMIN })
  app.setClock('2026-11-15T04:01:00Z')
  const credentials: Credential[] = [
    { name: 'none', scope: null, headers: {} },
    { name: 'an unknown key', scope: null, headers: bearer('terce_unknown') },
    { name: 'a revoked key', scope: null, headers: bearer(revoked.key) },
    { name: 'a session of a revoked key', scope: null, headers: { Cookie: revoked.Cookie } },
    { name: 'an expired key', scope: null, headers: bearer(expired.key) },
    { name: 'a session of an expired key', scope: null, headers: { Cookie: expired.Cookie } },
    { name: 'a key of another address', scope: null, headers: bearer(elsewhere.key) },
    { name: 'a key of the environment', scope: 'admin', headers: ADMIN },
  ]
  for (const scope of SCOPES) {
    const { key, Cookie } = await create(scope)
    credentials.push(
      { name: `a key of scope ${scope}`, scope, headers: bearer(key) },
      { name: `a key of scope ${scope} in X-Api-Key`, scope, headers: { 'X-Api-Key': key } },
      { name: `a session of scope ${scope}`, scope, headers: { Cookie } },
      {
        name: `a session of scope ${scope} from another site`,
        scope: null,
        headers: { Cookie, 'Sec-Fetch-Site': 'cross-site' },
      },
      {
        name: `a session token of scope ${scope} as a key`,
        scope: null,
        headers: bearer(Cookie.split('=')[1]!),
      },
      {
        name: `a key of scope ${scope} as a cookie`,
        scope: null,
        headers: { Cookie: `${Cookie.split('=')[0]}=${key}` },
      },
    )
  }
  return credentials
}

/** Open operations that check a secret of their own. */
const OWN_SECRET = ['deliverIntoInbox', 'signIn']

describe.each(Object.entries(STORES))('on %s', (_, open) => {
  it('every operation accepts the credentials of its scope, and no others', async () => {
    const app = createKeyedApp({ store: await open() })
    const credentials = await credentialsOf(app)
    const document: Json = (await app.send('/openapi.json')).json
    const wrong: string[] = []
    let checked = 0
    for (const [path, item] of Object.entries<Json>(document.paths))
      for (const [method, { operationId, security }] of Object.entries<Json>(item)) {
        if (OWN_SECRET.includes(operationId)) continue
        const needed: Scope | undefined = security[0]?.apiKey[0]
        const given = needed === undefined ? credentials.slice(0, 1) : credentials
        for (const { name, scope, headers } of given) {
          const url = path.replaceAll(/\{\w+\}/g, NO_ONE)
          const { status } = await app.app.request(url, { method: method.toUpperCase(), headers })
          const isAllowed =
            needed === undefined || (scope !== null && SCOPES.indexOf(scope) >= SCOPES.indexOf(needed))
          const isRejected = scope === null ? [401, 403].includes(status) : status === 403
          checked += 1
          if (status >= 500 || isRejected === isAllowed) wrong.push(`${method} ${path}, ${name}: ${status}`)
        }
      }
    expect(wrong).toEqual([])
    expect(checked).toBeGreaterThan(1_500)
  }, 120_000)
})
