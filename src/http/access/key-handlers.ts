// The API keys: made, listed, revoked.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { createKey, type Keyring, type KeysDeps } from '../../app/access/api-keys.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import type { ApiKey } from '../../domain/settings/api-key.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { readJson } from '../server/body.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { checkShape } from '../server/shape.ts'
import { type ApiKeyJson, CREATE_KEY, LIST_KEYS, NewKeyJson, REVOKE_KEY } from './key-operations.ts'

export function mountKeys(app: OpenAPIHono, deps: KeysDeps, keyring: Keyring): void {
  mount(app, LIST_KEYS, async (c) => c.json({ items: (await deps.store.listApiKeys()).map(keyJson) }))

  mount(app, CREATE_KEY, async (c) => {
    const body = await readJson(c.req.raw)
    if (body instanceof Problem) return body
    const read = checkShape(NewKeyJson, body.json)
    if (!read.ok) return invalidInput(read.problems)
    const { key, record } = await createKey(deps, read.value)
    keyring.forget()
    return c.json({ apiKey: keyJson(record), key }, 201)
  })

  mount(app, REVOKE_KEY, async (c) => {
    const id = parseUuid(c.req.param('id') ?? '')
    const revoked = id !== null && (await deps.store.revokeApiKey(id, deps.clock.now()))
    if (!revoked) return new Problem('KEY_NOT_FOUND', 'GET /key lists those there are.')
    keyring.forget()
    return c.body(null, 204)
  })
}

function keyJson(key: ApiKey): z.infer<typeof ApiKeyJson> {
  const text = (instant: number | null) => (instant === null ? null : formatInstant(instant))
  const { id, name, scope, createdAt, lastUsedAt, revokedAt } = key
  return {
    id,
    name,
    scope,
    createdAt: formatInstant(createdAt),
    lastUsedAt: text(lastUsedAt),
    revokedAt: text(revokedAt),
  }
}
