// Creates a record once for each Idempotency-Key: the key names the record, whose id is derived from it.
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppDeps } from '../../app/app-deps.ts'
import { findKeyed, type KeyedRecord } from '../../app/keyed-records.ts'
import { keyedId } from '../../domain/events/uuid.ts'
import { Problem } from './problem.ts'

/** The header as documented. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
    .optional()
    .openapi({
      minLength: 1,
      maxLength: 255,
      description:
        'Makes the request safe to repeat: the key and your API key name what is created. A repeated request gets it as it is now, with status 200; its body does not count. 1 to 255 visible ASCII characters.',
      example: 'signup-2026-11-15-0042',
    }),
})

/** The problems of an idempotency key. */
export const KEY_PROBLEMS = ['INVALID_HEADER', 'RECORD_DELETED', 'IDEMPOTENCY_KEY_REUSED'] as const

/**
 * Shows the record that the key names, or creates it. `create` returns null if another request took the id first, and `show` if
 * the record was deleted meanwhile.
 */
export async function createOnce(
  { c, headers }: { c: Context; headers: z.infer<typeof idempotencyHeader> },
  app: AppDeps,
  kind: 'user' | 'occasion' | 'task',
  how: {
    create: (id?: string) => Promise<Response | null>
    show: (id: string) => Promise<Response | null>
    /** The person whom the record must belong to. */
    userId?: string
  },
): Promise<Response> {
  const key = headers['Idempotency-Key']
  // A key belongs to its caller: with another API key it names another record.
  const id = key === undefined ? undefined : keyedId(key, c.get('keyId') ?? null)
  for (;;) {
    const found = id === undefined ? null : await findKeyed(app, id)
    const response = found ? await showFound(found) : await how.create(id)
    if (response !== null) return response
  }

  async function showFound(found: KeyedRecord): Promise<Response | null> {
    if (found.kind === 'deleted') throw new Problem('RECORD_DELETED', 'Use a new key to create it again.')
    if (found.kind !== kind || (how.userId !== undefined && how.userId !== found.userId))
      throw new Problem('IDEMPOTENCY_KEY_REUSED', 'Use a new key for a new request.')
    return how.show(id!)
  }
}
