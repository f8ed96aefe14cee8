// Entries of the audit log, and the hashes that chain them. An entry contains ids, never a name or an address of a person.
import { sha256Hex } from '../formats/sha256.ts'

export const AUDIT_ACTIONS = [
  'key.created',
  'key.revoked',
  'session.created',
  'session.ended',
  'session.revoked',
  'session.rejected',
  'request.rejected',
  'channel.created',
  'channel.changed',
  'channel.paused',
  'channel.resumed',
  'channel.disabled',
  'channel.deleted',
  'channel.tested',
  'channel.probed',
  'secret.rotated',
  'secret.resealed',
  'template.changed',
  'template.deleted',
  'feed.created',
  'feed.deleted',
  'people.exported',
  'people.imported',
  'people.paused',
  'people.resumed',
  'people.rescheduled',
  'people.erased',
  'person.erased',
  'event.replayed',
  'event.advanced',
  'event.signed',
  'events.replayed',
  'events.pruned',
  'failures.dismissed',
  'timezones.replanned',
  'audit.pruned',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** What is recorded, before it has its place in the chain. */
export type AuditRecord = {
  /** `key:<id>`, `session:<id>`, `environment:<name>`, `cli`, or `sql` for an enqueued change; null for a caller without a key. */
  actor: string | null
  /** The network address of the caller; null where it is unknown. */
  address: string | null
  action: AuditAction
  /** Such as `channel` and its id; null for an action on no single object. */
  object: { kind: string; id: string } | null
  /** The HTTP status of a rejection; null for a successful action. */
  rejectedWith?: number | null
  /** How many rejections or reads the entry stands for. */
  count?: number
  details?: Readonly<Record<string, string | number>> | null
}

/** An entry as it is stored. */
export type AuditEntry = {
  /** From 1, without gaps. */
  number: number
  at: number
  actor: string | null
  address: string | null
  action: AuditAction
  objectKind: string | null
  objectId: string | null
  rejectedWith: number | null
  count: number
  /** JSON. */
  details: string | null
  /** The hash of the entry before; empty for the first. */
  previousHash: string
  /** SHA-256 of the previous hash and all fields above. */
  hash: string
}

/** The successor of `last` in the chain; null begins the chain. */
export function chainAfter(
  last: Pick<AuditEntry, 'number' | 'hash'> | null,
  { record, at }: { record: AuditRecord; at: number },
): AuditEntry {
  const fields = {
    number: (last?.number ?? 0) + 1,
    at,
    actor: record.actor,
    address: record.address,
    action: record.action,
    objectKind: record.object?.kind ?? null,
    objectId: record.object?.id ?? null,
    rejectedWith: record.rejectedWith ?? null,
    count: record.count ?? 1,
    details: record.details ? JSON.stringify(record.details) : null,
    previousHash: last?.hash ?? '',
  }
  return { ...fields, hash: hashOf(fields) }
}

/** The hash that the fields of an entry must have. */
export function hashOf(entry: Omit<AuditEntry, 'hash'>): string {
  const { previousHash, number, at, actor, address, action, objectKind, objectId } = entry
  const { rejectedWith, count, details } = entry
  const fields = [previousHash, number, at, actor, address, action, objectKind, objectId]
  return sha256Hex(JSON.stringify([...fields, rejectedWith, count, details]))
}

/** The last entry that was pruned: the chain continues after it. Details of an entry `audit.pruned`. */
export type PrunedTo = { number: number; hash: string }

export type ChainFault = { number: number; fault: 'changed' | 'gap' }

type ChainCheck = {
  /** Takes the entries in order of number. The first broken entry, or null so far. */
  add(entry: AuditEntry): ChainFault | null
  /** Checks the beginning, which may have been pruned. Called after the last entry. */
  end(): ChainFault | null
}

/** Verifies that no entry was changed, removed or inserted. It cannot know of entries that followed the last one. */
export function checkChain(): ChainCheck {
  let first: AuditEntry | null = null
  let last: AuditEntry | null = null
  const pruned: PrunedTo[] = []

  function isBeginning({ number, previousHash }: AuditEntry): boolean {
    if (number === 1) return previousHash === ''
    // A prune that was interrupted has left entries before its mark.
    return pruned.some((to) => (to.number === number - 1 ? to.hash === previousHash : to.number >= number))
  }

  return {
    add(entry) {
      const { number } = entry
      if (hashOf(entry) !== entry.hash) return { number, fault: 'changed' }
      const follows = last === null || (last.number + 1 === number && last.hash === entry.previousHash)
      if (!follows) return { number, fault: 'gap' }
      if (entry.action === 'audit.pruned') pruned.push(JSON.parse(entry.details ?? '{}') as PrunedTo)
      first ??= entry
      last = entry
      return null
    },
    end: () => (first === null || isBeginning(first) ? null : { number: first.number, fault: 'gap' }),
  }
}
