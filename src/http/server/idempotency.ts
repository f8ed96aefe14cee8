// The Idempotency-Key of a request.
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { BAD_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY } from '../../api/create-once.ts'
import { keyedId } from '../../domain/events/uuid.ts'

/** The header as documented. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().regex(IDEMPOTENCY_KEY, BAD_IDEMPOTENCY_KEY).optional().openapi({
    minLength: 1,
    maxLength: 255,
    description:
      'Makes the request safe to repeat: the key and your API key name what is created. A repeated request gets it as it is now, with status 200; its body does not count. 1 to 255 visible ASCII characters.',
    example: 'signup-2026-11-15-0042',
  }),
})

/** The problems of an idempotency key. */
export const KEY_PROBLEMS = ['INVALID_HEADER', 'RECORD_DELETED', 'IDEMPOTENCY_KEY_REUSED'] as const

/** The id that the key of the request gives to what it creates. A key belongs to its caller: with another API key it names another record. */
export function idOfKey(c: Context, headers: z.infer<typeof idempotencyHeader>): string | undefined {
  const key = headers['Idempotency-Key']
  return key === undefined ? undefined : keyedId(key, c.get('keyId') ?? null)
}
