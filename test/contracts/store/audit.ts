// The audit log: every entry gets a number of its own, however many write to it.
import { describe, expect } from 'vitest'
import { createAudit, pruneAudit } from '../../../src/app/access/audit.ts'
import { type AuditRecord, auditEntry } from '../../../src/domain/access/audit.ts'
import type { AuditStore } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { clockAt, DAY, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'

const record = (id: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  actor: 'key:k1',
  address: '192.0.2.1',
  action: 'channel.changed',
  object: { kind: 'channel', id },
  ...more,
})

const auditAt = (store: AuditStore, now: number) =>
  createAudit({ store, clock: clockAt(now), telemetry() {} })

const page = { limit: 50, before: null }

export function describeAudit(it: StoreIt): void {
  describe('the audit log', () => {
    it('returns an entry as it was appended, with its number', async (store) => {
      const entry = auditEntry(record('c1', { details: { removed: 3 } }), T0)
      const { number, ...written } = await store.appendAuditEntry(entry)
      expect(written).toEqual(entry)
      expect(await store.listAuditEntries(page)).toEqual([{ ...entry, number }])
    })

    it('filters by action, actor, object and time, the newest first, in pages', async (store) => {
      for (let day = 0; day < 4; day++) await auditAt(store, T0 + day * DAY).record(record(`c${day}`))
      await auditAt(store, T0 + DAY).record(record('k', { action: 'key.created', actor: 'cli' }))
      const ids = async (query: object) =>
        (await store.listAuditEntries({ ...page, ...query })).map(({ objectId }) => objectId)
      expect(await ids({})).toEqual(['k', 'c3', 'c2', 'c1', 'c0'])
      expect(await ids({ action: 'key.created' })).toEqual(['k'])
      expect(await ids({ actor: 'key:k1' })).toEqual(['c3', 'c2', 'c1', 'c0'])
      expect(await ids({ objectId: 'c2' })).toEqual(['c2'])
      expect(await ids({ from: T0 + DAY, to: T0 + 2 * DAY })).toEqual(['k', 'c1'])
      const [{ number: before } = { number: 0 }] = await store.listAuditEntries({ ...page, objectId: 'c3' })
      expect(await ids({ limit: 2, before })).toEqual(['c2', 'c1', 'c0'])
    })

    it('keeps every entry when many write at once', async (store) => {
      const writers = Array.from({ length: 8 }, () => auditAt(store, T0))
      await Promise.all(
        writers.flatMap((audit, i) =>
          Array.from({ length: 10 }, (_, j) => audit.record(record(`${i}-${j}`))),
        ),
      )
      const entries = await store.listAuditEntries({ ...page, limit: 100 })
      expect(new Set(entries.map(({ number }) => number)).size).toBe(80)
      expect(new Set(entries.map(({ objectId }) => objectId)).size).toBe(80)
    })

    it('loses its oldest entries when it is pruned, and says how many', async (store) => {
      const reported: Notice[] = []
      for (let day = 0; day < 10; day++) await auditAt(store, T0 + day * DAY).record(record(`c${day}`))
      const clock = clockAt(T0 + 20 * DAY)
      const deps = { store, clock, telemetry: (notice: Notice) => void reported.push(notice) }
      expect(await pruneAudit(deps, T0, 'cli')).toBe(0)
      expect(await pruneAudit(deps, T0 + 3 * DAY, 'cli')).toBe(3)
      expect(reported).toMatchObject([
        { kind: 'audit', action: 'audit.pruned', actor: 'cli', details: '{"removed":3}' },
      ])
      const left = (await store.listAuditEntries(page)).map(({ objectId }) => objectId)
      expect(left).toEqual([null, 'c9', 'c8', 'c7', 'c6', 'c5', 'c4', 'c3'])
    })
  })
}
