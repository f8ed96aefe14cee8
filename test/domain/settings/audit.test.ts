// The chain of the audit log: every kind of tampering is found at its entry.
import { describe, expect, it } from 'vitest'
import {
  type AuditEntry,
  type AuditRecord,
  type ChainFault,
  chainAfter,
  checkChain,
  hashOf,
} from '../../../src/domain/settings/audit.ts'

const record: AuditRecord = {
  actor: 'key:k1',
  address: '192.0.2.1',
  action: 'key.created',
  object: { kind: 'key', id: 'k2' },
}

function chainOf(length: number): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (let at = 0; at < length; at++) entries.push(chainAfter(entries.at(-1) ?? null, { record, at }))
  return entries
}

function faultIn(entries: readonly AuditEntry[]): ChainFault | null {
  const chain = checkChain()
  for (const entry of entries) {
    const fault = chain.add(entry)
    if (fault !== null) return fault
  }
  return chain.end()
}

const CHANGES: [field: keyof AuditEntry, value: unknown][] = [
  ['at', 99],
  ['actor', null],
  ['address', '192.0.2.2'],
  ['action', 'key.revoked'],
  ['objectKind', 'session'],
  ['objectId', 'k3'],
  ['rejectedWith', 403],
  ['count', 2],
  ['details', '{}'],
  ['previousHash', 'f'.repeat(64)],
  ['hash', 'f'.repeat(64)],
]

describe('the chain of audit entries', () => {
  it('is intact as it was written, and while it is empty', () => {
    expect(faultIn(chainOf(5))).toBeNull()
    expect(faultIn([])).toBeNull()
  })

  it.each(CHANGES)('is broken at an entry whose %s was changed', (field, value) => {
    const entries = chainOf(5)
    entries[2] = { ...entries[2]!, [field]: value } as AuditEntry
    expect(faultIn(entries)).toEqual({ number: 3, fault: 'changed' })
  })

  it('is broken after an entry that was changed with its hash, or removed', () => {
    const entries = chainOf(5)
    const changed = { ...entries[2]!, actor: 'cli' }
    expect(faultIn(entries.with(2, { ...changed, hash: hashOf(changed) }))).toEqual({
      number: 4,
      fault: 'gap',
    })
    expect(faultIn(entries.toSpliced(2, 1))).toEqual({ number: 4, fault: 'gap' })
    expect(faultIn(entries.slice(1))).toEqual({ number: 2, fault: 'gap' })
  })

  it('may begin after the entry that a prune recorded, and before it if the prune was interrupted', () => {
    const entries = chainOf(5)
    const { number, hash } = entries[2]!
    const prunedAfter = (details: { number: number; hash: string }) => {
      const pruned: AuditRecord = { ...record, action: 'audit.pruned', details }
      return [...entries, chainAfter(entries[4]!, { record: pruned, at: 9 })]
    }
    const all = prunedAfter({ number, hash })
    expect(faultIn(all.slice(3))).toBeNull()
    expect(faultIn(all.slice(1))).toBeNull()
    expect(faultIn(all.slice(4))).toEqual({ number: 5, fault: 'gap' })
    expect(faultIn(prunedAfter({ number, hash: 'f' }).slice(3))).toEqual({ number: 4, fault: 'gap' })
  })
})
