// The audit log: a chain without gaps, however many write to it.
import { describe, expect } from 'vitest'
import { createAudit, pruneAudit, verifyAudit } from '../../../src/app/access/audit.ts'
import { type AuditRecord, chainAfter } from '../../../src/domain/settings/audit.ts'
import type { AuditStore } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { DAY, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'

const record = (id: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  actor: 'key:k1',
  address: '192.0.2.1',
  action: 'channel.changed',
  object: { kind: 'channel', id },
  ...more,
})

function clockAt(now: number) {
  return { now: () => now, after: () => ({ cancel() {} }) }
}

const auditAt = (store: AuditStore, now: number) =>
  createAudit({ store, clock: clockAt(now), telemetry() {} })

const page = { limit: 50, before: null }

export function describeAudit(it: StoreIt): void {
  describe('the audit log', () => {
    it('returns an entry as it was appended, and rejects a number that exists', async (store) => {
      expect(await store.lastAuditEntry()).toBeNull()
      const first = chainAfter(null, { record: record('c1', { details: { removed: 3 } }), at: T0 })
      expect(await store.appendAuditEntry(first)).toBe(true)
      expect(await store.appendAuditEntry({ ...first, actor: 'cli' })).toBe(false)
      expect(await store.lastAuditEntry()).toEqual(first)
    })

    it('filters by action, actor, object and time, the newest first, in pages', async (store) => {
      for (let day = 0; day < 4; day++) await auditAt(store, T0 + day * DAY).record(record(`c${day}`))
      await auditAt(store, T0 + DAY).record(record('k', { action: 'key.created', actor: 'cli' }))
      const numbers = async (query: object) =>
        (await store.listAuditEntries({ ...page, ...query })).map(({ number }) => number)
      expect(await numbers({})).toEqual([5, 4, 3, 2, 1])
      expect(await numbers({ action: 'key.created' })).toEqual([5])
      expect(await numbers({ actor: 'key:k1' })).toEqual([4, 3, 2, 1])
      expect(await numbers({ objectId: 'c2' })).toEqual([3])
      expect(await numbers({ from: T0 + DAY, to: T0 + 2 * DAY })).toEqual([5, 2])
      expect(await numbers({ limit: 2, before: 4 })).toEqual([3, 2, 1])
    })

    it('is one chain without gaps when many write at once', async (store) => {
      const writers = Array.from({ length: 8 }, () => auditAt(store, T0))
      await Promise.all(
        writers.flatMap((audit, i) =>
          Array.from({ length: 10 }, (_, j) => audit.record(record(`${i}-${j}`))),
        ),
      )
      const entries = await store.readAuditEntries(0, 100)
      expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1))
      expect(new Set(entries.map(({ objectId }) => objectId)).size).toBe(80)
      expect(await verifyAudit(store)).toEqual({ entries: 80, fault: null })
    })

    it('can be verified after old entries were pruned, once and again, and reports each prune', async (store) => {
      const reported: Notice[] = []
      for (let day = 0; day < 10; day++) await auditAt(store, T0 + day * DAY).record(record(`c${day}`))
      const deps = {
        store,
        clock: clockAt(T0 + 20 * DAY),
        telemetry: (notice: Notice) => void reported.push(notice),
      }
      const prune = (before: number) => pruneAudit(deps, before, 'cli')
      expect(await prune(T0)).toBe(0)
      expect(await prune(T0 + 3 * DAY)).toBe(3)
      expect((await store.readAuditEntries(0, 1))[0]!.number).toBe(4)
      expect(await verifyAudit(store)).toEqual({ entries: 8, fault: null })
      expect(await prune(T0 + 10 * DAY)).toBe(7)
      expect(await verifyAudit(store)).toMatchObject({ fault: null })
      const entry = { kind: 'audit', action: 'audit.pruned', actor: 'cli' }
      expect(reported).toMatchObject([
        { ...entry, number: 11 },
        { ...entry, number: 12 },
      ])
    })
  })
}
