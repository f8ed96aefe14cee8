// The objects of the sharded home in workerd, for tests in Node.
import { fileURLToPath } from 'node:url'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { Pool } from 'undici'
import { bundle } from '../../../scripts/build-cloudflare.ts'
import type { Store } from '../../../src/ports/store.ts'
import { remoteStore } from '../../../src/runtimes/cloudflare/shards/calls.ts'
import { COMPATIBILITY, ONE_REQUEST_EACH, SHARDED_DEPLOYMENT } from './deployment.ts'
import type { ShardCall } from './shard-entry.ts'
import { KEY, keepOutput } from './terce.ts'

export type Shards = {
  ask<T = unknown>(of: ShardCall['of'], method: string, ...args: unknown[]): Promise<T>
  /** Sends a request to the API, with the key of the tests. Returns the body of the response. */
  post(path: string): Promise<unknown>
  /** The hourly call of the platform. */
  cron(): Promise<void>
  /** `count` is the number of shards that the caller knows of. */
  storeOf(of: ShardCall['of'], count?: number): Store
  output: string[]
  /** Deploys the Worker again, with other settings. */
  deploy(vars: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

export async function startShards(vars: Record<string, string>): Promise<Shards> {
  const { text } = await bundle(fileURLToPath(new URL('shard-entry.ts', import.meta.url)))
  const output: string[] = []
  const optionsWith = (bindings: Record<string, string>): MiniflareOptions => ({
    cf: false,
    // Miniflare would pass every request to a receiver through a Worker of its own: a fifth of the CPU time of a delivery.
    stripCfConnectingIp: false,
    modules: [{ type: 'ESModule', path: 'shards.js', contents: text }],
    bindings,
    queueProducers: { DUE: 'terce-due' },
    queueConsumers: { 'terce-due': { maxBatchSize: 100, maxBatchTimeout: 0.02 } },
    durableObjects: {
      SHARD: { className: 'TestShard', useSQLite: true },
      REGISTRY: { className: 'Registry', useSQLite: true },
    },
    handleRuntimeStdio: keepOutput(output),
    ...COMPATIBILITY,
  })
  const miniflare = new Miniflare(optionsWith(vars))
  let pool = new Pool((await miniflare.ready).origin, ONE_REQUEST_EACH)
  async function ask<T>(of: ShardCall['of'], method: string, ...args: unknown[]): Promise<T> {
    const body = JSON.stringify({ of, method, args })
    const response = await pool.request({ method: 'POST', path: '/', body })
    if (response.statusCode !== 200) throw new Error(await response.body.text())
    return ((await response.body.json()) as { value: T }).value
  }
  return {
    ask,
    post: async (path) => {
      const headers = { authorization: `Bearer ${KEY}` }
      return (await pool.request({ method: 'POST', path, headers })).body.json()
    },
    output,
    cron: async () => {
      const worker = (await miniflare.getWorker()) as unknown as {
        scheduled(options: object): Promise<unknown>
      }
      await worker.scheduled({ cron: SHARDED_DEPLOYMENT.triggers.crons[0] })
    },
    storeOf: (of, count) =>
      remoteStore(
        () => ({
          call: (method, args, shards) =>
            ask(of, 'call', method, args, ...(shards === undefined ? [] : [shards])),
        }),
        count,
      ),
    deploy: async (others) => {
      await pool.destroy()
      await miniflare.setOptions(optionsWith(others))
      pool = new Pool((await miniflare.ready).origin, ONE_REQUEST_EACH)
    },
    stop: async () => {
      await pool.destroy()
      await miniflare.dispose()
    },
  }
}
