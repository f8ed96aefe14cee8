// What a message says: which event, at which version, and nothing else. No name or body ever lies in a queue.
import type { ClaimRef } from '../ports/claim.ts'

/** The reference as plain data; extra fields of whatever is handed over stay out. */
export function toBody({ eventId, version }: ClaimRef): ClaimRef {
  return { eventId, version }
}

/** The reference in a body that was received; null if there is none in it. */
export function fromBody(body: unknown): ClaimRef | null {
  const { eventId, version } = (body ?? {}) as Partial<ClaimRef>
  if (typeof eventId !== 'string' || !UUID.test(eventId)) return null
  if (!Number.isSafeInteger(version) || version! < 1) return null
  return { eventId, version: version! }
}

// The store takes nothing else for an id, and one that it chokes on would hold up the batch.
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The same for a body that is JSON in a string. */
export function fromText(text: string): ClaimRef | null {
  try {
    return fromBody(JSON.parse(text))
  } catch {
    return null
  }
}

/** Batches of at most so many. */
export function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
}
