// The D1 of workerd with Workers that claim, for the contract.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { bundle } from '../../../../scripts/build-cloudflare.ts'
import { openD1Store } from '../../../../src/stores/d1/d1-store.ts'
import type { StoreUnderTest } from '../../../contracts/store.contract.ts'
import { type D1InWorkerd, startD1 } from '../../../support/workerd/d1.ts'

const CLAIMERS = ['claimer-1', 'claimer-2', 'claimer-3']
const CLAIMER = fileURLToPath(new URL('../../../support/workerd/claimer.ts', import.meta.url))

export function useD1(): { d1(): D1InWorkerd; open(): Promise<StoreUnderTest> } {
  let d1: D1InWorkerd
  beforeAll(async () => {
    const { text: script } = await bundle(CLAIMER)
    d1 = await startD1(CLAIMERS.map((name) => ({ name, modules: true, script })))
  })
  afterAll(() => d1.stop())

  return {
    d1: () => d1,
    async open() {
      const free = [...CLAIMERS]
      return {
        store: openD1Store(d1.db),
        another: async () => openD1Store(d1.db),
        spawnClaimer: async (claim) => {
          const worker = (await d1.miniflare.getWorker(free.shift()!)) as unknown as { fetch: typeof fetch }
          const response = await worker.fetch('http://claimer', {
            method: 'POST',
            body: JSON.stringify(claim),
          })
          return (await response.json()) as string[]
        },
        deleteRow: async (table, id) =>
          void (await d1.db.prepare(`DELETE FROM ${table} WHERE id = ?`).bind(id).raw()),
        cleanup: () => d1.empty(),
      }
    },
  }
}
