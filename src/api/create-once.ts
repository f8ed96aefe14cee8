// Creates a record once for each idempotency key: the key names the record, whose id is derived from it.
import type { AppDeps } from '../app/app-deps.ts'
import { findKeyed, type KeyedRecord } from '../app/keyed-records.ts'
import { Problem } from './problem.ts'

/** `isNew` is false if an earlier call with the key created the record, which is shown as it is now. */
export type Made<New, Found> = { json: New; isNew: true } | { json: Found; isNew: false }

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/
export const BAD_IDEMPOTENCY_KEY = 'Idempotency-Key must be 1 to 255 visible ASCII characters.'

/**
 * Shows the record that the key names, or creates it. `create` resolves to null if another call took the id first, and `show` if the
 * record was deleted meanwhile. `id`: of the key; undefined without one.
 */
export async function createOnce<New, Found>(
  app: AppDeps,
  kind: 'user' | 'occasion' | 'task',
  id: string | undefined,
  how: {
    create: () => Promise<New | null>
    show: (id: string) => Promise<Found | null>
    /** The person whom the record must belong to. */
    userId?: string
  },
): Promise<Made<New, Found>> {
  for (;;) {
    const found = id === undefined ? null : await findKeyed(app, id)
    if (found === null) {
      const json = await how.create()
      if (json !== null) return { json, isNew: true }
    } else {
      checkKeyed(found)
      const json = await how.show(id!)
      if (json !== null) return { json, isNew: false }
    }
  }

  function checkKeyed(found: KeyedRecord): void {
    if (found.kind === 'deleted') throw new Problem('RECORD_DELETED', 'Use a new key to create it again.')
    if (found.kind !== kind || (how.userId !== undefined && how.userId !== found.userId))
      throw new Problem('IDEMPOTENCY_KEY_REUSED', 'Use a new key for a new request.')
  }
}
