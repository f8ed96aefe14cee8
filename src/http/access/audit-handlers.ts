// The audit log, read by administrators.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { encodeCursor } from '../../api/query.ts'
import type { AuditEntry } from '../../domain/access/audit.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { AuditStore } from '../../ports/store.ts'
import { mount } from '../server/operation.ts'
import { type AuditEntryJson, LIST_AUDIT } from './audit-operations.ts'

export function mountAudit(api: OpenAPIHono, store: AuditStore): void {
  mount(api, LIST_AUDIT, async ({ c, query }) => {
    const { limit, cursor, object, ...filters } = query
    const before = cursor === null ? null : Number(cursor)
    const found = await store.listAuditEntries({
      ...{ ...filters, limit, before },
      ...(object !== undefined && { objectId: object }),
    })
    const items = found.slice(0, limit)
    const nextCursor = found.length > limit ? encodeCursor(String(items.at(-1)!.number)) : null
    return c.json({ items: items.map(entryJson), nextCursor })
  })
}

function entryJson(entry: AuditEntry): z.infer<typeof AuditEntryJson> {
  const { number, at, actor, address, action, objectKind, objectId, rejectedWith, count, details } = entry
  return {
    id: number,
    at: formatInstant(at),
    ...{ actor, address, action },
    object: objectKind === null || objectId === null ? null : { kind: objectKind, id: objectId },
    result: rejectedWith === null ? 'ok' : 'rejected',
    status: rejectedWith,
    count,
    details: details === null ? null : JSON.parse(details),
  }
}
