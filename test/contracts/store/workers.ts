// The heartbeats of workers.
import { describe, expect } from 'vitest'
import { T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'

export function describeWorkers(it: StoreIt): void {
  describe('the heartbeats of workers', () => {
    it('list each live worker once, with its last heartbeat, in every process', async (store, {
      another,
    }) => {
      const other = await another()
      await store.recordWorker({ id: 'host-1', seenAt: T0 }, T0 - 30_000)
      await other.recordWorker({ id: 'host-2', seenAt: T0 + 5_000 }, T0 - 25_000)
      await store.recordWorker({ id: 'host-1', seenAt: T0 + 10_000 }, T0 - 20_000)
      const both = [
        { id: 'host-1', seenAt: T0 + 10_000 },
        { id: 'host-2', seenAt: T0 + 5_000 },
      ]
      expect(await store.listWorkers(T0)).toEqual(both)
      expect(await other.listWorkers(T0)).toEqual(both)
      expect(await store.listWorkers(T0 + 6_000)).toEqual([both[0]])
    })

    it('remove the workers that have stopped or expired', async (store) => {
      await store.recordWorker({ id: 'stopped', seenAt: T0 }, 0)
      await store.recordWorker({ id: 'killed', seenAt: T0 }, 0)
      await store.removeWorker('stopped')
      await store.removeWorker('unknown')
      expect((await store.listWorkers(0)).map(({ id }) => id)).toEqual(['killed'])
      await store.recordWorker({ id: 'alive', seenAt: T0 + 30_001 }, T0 + 1)
      expect((await store.listWorkers(0)).map(({ id }) => id)).toEqual(['alive'])
    })
  })
}
