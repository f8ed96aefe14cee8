// The body of a queue message: an event id and a version. No name and no message text is ever in a queue.
import type { ClaimRef } from '../ports/claim.ts'

/** The reference as plain data, without any other field of the argument. */
export function toBody({ eventId, version }: ClaimRef): ClaimRef {
  return { eventId, version }
}

/** The reference in a received body; null if the body holds none. */
export function fromBody(body: unknown): ClaimRef | null {
  const { eventId, version } = (body ?? {}) as Partial<ClaimRef>
  if (typeof eventId !== 'string' || !UUID.test(eventId)) return null
  if (!Number.isSafeInteger(version) || version! < 1) return null
  return { eventId, version: version! }
}

// The store rejects any other id, and one that it cannot read would hold up the batch.
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The reference in a received body that is JSON text. */
export function fromText(text: string): ClaimRef | null {
  try {
    return fromBody(JSON.parse(text))
  } catch {
    return null
  }
}

/** Batches of at most `size`. */
export function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
}
