// Durable Objects with a store in workerd, for tests in Node.
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { Miniflare } from 'miniflare'
import { Pool } from 'undici'
import { bundle } from '../../../scripts/build-cloudflare.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Executor } from '../../../src/stores/sqlite-dialect/executor.ts'
import { createStore } from '../../../src/stores/sqlite-dialect/store.ts'
import { COMPATIBILITY, ONE_REQUEST_EACH } from './deployment.ts'
import type { ObjectCall } from './store-object.ts'

type Without<T> = T extends unknown ? Omit<T, 'object'> : never
export type Ask = (call: Without<ObjectCall>) => Promise<unknown>

/** Each name is an object with a database of its own. */
export async function startStoreObjects(): Promise<{ of(name: string): Ask; stop(): Promise<void> }> {
  const { text } = await bundle(fileURLToPath(new URL('store-object.ts', import.meta.url)))
  const miniflare = new Miniflare({
    cf: false,
    modules: [{ type: 'ESModule', path: 'objects.js', contents: text }],
    durableObjects: { OBJECT: { className: 'StoreObject', useSQLite: true } },
    ...COMPATIBILITY,
  })
  const pool = new Pool((await miniflare.ready).origin, ONE_REQUEST_EACH)
  return {
    of: (object) => async (call) => {
      const body = JSON.stringify({ ...call, object })
      const response = await pool.request({ method: 'POST', path: '/', body })
      if (response.statusCode !== 200) throw new Error(await response.body.text())
      return response.body.json()
    },
    stop: async () => {
      await pool.destroy()
      await miniflare.dispose()
    },
  }
}

export function remoteExecutor(ask: Ask): Executor {
  return {
    batch: (statements) => ask({ kind: 'batch', statements }) as ReturnType<Executor['batch']>,
    read: (statement) => ask({ kind: 'read', statement }) as ReturnType<Executor['read']>,
  }
}

/** The store of an object. `claimDue` runs here, on the object's executor: its callback cannot be sent to the object. */
export function remoteStore(ask: Ask): Store {
  const unused = drizzle(async () => ({ rows: [] }))
  const here = createStore(remoteExecutor(ask), { reader: unused, writer: unused }, async () => {})
  const names = Object.keys(here) as (keyof Store)[]
  const calls = names.map((method) => [
    method,
    async (...args: unknown[]) => ask({ kind: 'call', method, count: args.length, args: { ...args } }),
  ])
  return { ...Object.fromEntries(calls), claimDue: here.claimDue }
}
