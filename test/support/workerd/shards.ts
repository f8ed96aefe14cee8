// The objects of the sharded home in workerd, for tests in Node.
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { Pool } from 'undici'
import { bundle } from '../../../scripts/build-cloudflare.ts'
import type { Store } from '../../../src/ports/store.ts'
import { remoteStore } from '../../../src/runtimes/cloudflare/shards/calls.ts'
import { COMPATIBILITY, SHARDED_DEPLOYMENT } from './deployment.ts'
import type { ShardCall } from './shard-entry.ts'
import { keepOutput } from './terce.ts'

export type Shards = {
  ask<T = unknown>(of: ShardCall['of'], method: string, ...args: unknown[]): Promise<T>
  storeOf(of: ShardCall['of']): Store
  /** The hourly call of the platform. */
  cron(): Promise<void>
  output: string[]
  stop(): Promise<void>
}

export async function startShards(vars: Record<string, string>): Promise<Shards> {
  const { text } = await bundle(fileURLToPath(new URL('shard-entry.ts', import.meta.url)))
  const output: string[] = []
  const miniflare = new Miniflare({
    cf: false,
    modules: [{ type: 'ESModule', path: 'shards.js', contents: text }],
    bindings: vars,
    queueProducers: { DUE: 'terce-due' },
    queueConsumers: { 'terce-due': { maxBatchSize: 100, maxBatchTimeout: 0.02 } },
    durableObjects: {
      SHARD: { className: 'TestShard', useSQLite: true },
      REGISTRY: { className: 'Registry', useSQLite: true },
    },
    handleRuntimeStdio: keepOutput(output),
    ...COMPATIBILITY,
  })
  const pool = new Pool((await miniflare.ready).origin)
  async function ask<T>(of: ShardCall['of'], method: string, ...args: unknown[]): Promise<T> {
    const body = JSON.stringify({ of, method, args })
    const response = await pool.request({ method: 'POST', path: '/', body })
    if (response.statusCode !== 200) throw new Error(await response.body.text())
    return ((await response.body.json()) as { value: T }).value
  }
  return {
    ask,
    output,
    cron: async () => {
      const worker = (await miniflare.getWorker()) as unknown as {
        scheduled(options: object): Promise<unknown>
      }
      await worker.scheduled({ cron: SHARDED_DEPLOYMENT.triggers.crons[0] })
    },
    storeOf: (of) => remoteStore(() => ({ call: (method, args) => ask(of, 'call', method, args) })),
    stop: async () => {
      await pool.destroy()
      await miniflare.dispose()
    },
  }
}
