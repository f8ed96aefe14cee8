// The API keys: created, listed, revoked.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { invalidInput, Problem } from '../../api/problem.ts'
import { createKey, type Keyring, type KeysDeps, revokeKey } from '../../app/access/api-keys.ts'
import type { ApiKey } from '../../domain/access/api-key.ts'
import { formatInstant, instantOrNull } from '../../domain/time/timestamp.ts'
import { mount } from '../server/operation.ts'
import { type ApiKeyJson, CREATE_KEY, keyNotFound, LIST_KEYS, REVOKE_KEY } from './key-operations.ts'

export function mountKeys(api: OpenAPIHono, deps: KeysDeps, keyring: Keyring): void {
  mount(api, LIST_KEYS, async ({ c }) => c.json({ items: (await deps.store.listApiKeys()).map(keyJson) }))

  mount(api, CREATE_KEY, async ({ c, body }) => {
    if (body.expiresAt != null && body.expiresAt <= deps.clock.now())
      throw invalidInput([{ field: 'expiresAt', code: 'INVALID_VALUE', message: 'Must be in the future.' }])
    await requireUnlimitedKey(deps, c.get('keyId') ?? null)
    const { key, record } = await createKey(deps, body)
    keyring.forget()
    return c.json({ apiKey: keyJson(record), key }, 201)
  })

  mount(api, REVOKE_KEY, async ({ c, params }) => {
    if (!(await revokeKey(deps, params.id))) throw keyNotFound()
    keyring.forget()
    return c.body(null, 204)
  })
}

/** A key that expires, or is limited to addresses, could otherwise create one without these limits. */
async function requireUnlimitedKey({ store }: KeysDeps, keyId: string | null): Promise<void> {
  const own = keyId === null ? undefined : (await store.listApiKeys()).find(({ id }) => id === keyId)
  if (own === undefined || (own.expiresAt === null && own.allowedFrom.length === 0)) return
  throw new Problem('FORBIDDEN', 'A key that expires or is limited to addresses cannot create keys.')
}

function keyJson(key: ApiKey): z.infer<typeof ApiKeyJson> {
  const { id, name, scope, createdAt, lastUsedAt, revokedAt, expiresAt, allowedFrom } = key
  return {
    id,
    name,
    scope,
    createdAt: formatInstant(createdAt),
    lastUsedAt: instantOrNull(lastUsedAt),
    revokedAt: instantOrNull(revokedAt),
    expiresAt: instantOrNull(expiresAt),
    allowedFrom: [...allowedFrom],
  }
}
