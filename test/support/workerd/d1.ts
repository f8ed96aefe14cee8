// A real D1 in workerd for tests in Node: sends each call as JSON to a Worker that has the binding. The bridge of Miniflare
// blocks this thread at every `prepare`, and takes ten milliseconds for a statement.
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { Miniflare, type WorkerOptions } from 'miniflare'
import { Pool } from 'undici'
import type { D1Database, D1Result, D1Statement } from '../../../src/stores/d1/binding.ts'
import type { Value } from '../../../src/stores/sqlite-dialect/executor.ts'
import { COMPATIBILITY, ONE_REQUEST_EACH } from './deployment.ts'

export const MIGRATIONS = new URL('../../../migrations/sqlite/', import.meta.url)

/** The migrations in the order in which wrangler applies them: by file name. */
export function migrations(): { name: string; statements: string[] }[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({
      name,
      statements: readFileSync(new URL(name, MIGRATIONS), 'utf8').split('--> statement-breakpoint'),
    }))
}

type Call = {
  method: 'raw' | 'run' | 'all' | 'batch'
  statements: { sql: string; params: readonly Value[] }[]
}

const BRIDGE = `export default {
  async fetch(request, { DB }) {
    const { method, statements } = await request.json()
    const prepared = statements.map(({ sql, params }) => DB.prepare(sql).bind(...params))
    try {
      return Response.json(method === 'batch' ? await DB.batch(prepared) : await prepared[0][method]())
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  },
}`

export type D1InWorkerd = {
  db: D1Database
  miniflare: Miniflare
  /** Removes every row. */
  empty(): Promise<void>
  stop(): Promise<void>
}

/** Starts workerd with an empty, migrated D1 and with further workers that are bound to it. */
export async function startD1(
  beside: readonly WorkerOptions[] = [],
  how: {
    handleRuntimeStdio?: (out: Readable, err: Readable) => void
    migrated?: boolean
    /** The folder of the database. Without a folder the database is lost when workerd stops. */
    d1Persist?: string
  } = {},
): Promise<D1InWorkerd> {
  const { migrated = true, ...shared } = how
  const d1Databases = { DB: 'terce' }
  const bridge: WorkerOptions = {
    name: 'bridge',
    modules: true,
    script: BRIDGE,
    d1Databases,
    ...COMPATIBILITY,
  }
  const miniflare = new Miniflare({
    cf: false,
    ...shared,
    workers: [bridge, ...beside.map((worker) => ({ d1Databases, ...COMPATIBILITY, ...worker }))],
  })
  const pool = new Pool((await miniflare.ready).origin, ONE_REQUEST_EACH)
  const db = connect(pool)
  for (const { statements } of migrated ? migrations() : [])
    await db.batch(statements.map((sql) => db.prepare(sql)))
  const names = await db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '*_cf_*'`)
    .raw()
  return {
    db,
    miniflare,
    empty: async () => {
      const deletions = names.map(([name]) => db.prepare(`DELETE FROM ${name}`))
      await db.batch([db.prepare('PRAGMA defer_foreign_keys = on'), ...deletions])
    },
    stop: async () => {
      await pool.destroy()
      await miniflare.dispose()
    },
  }
}

type Statement = D1Statement & { sql: string; params: readonly Value[] }

function connect(pool: Pool): D1Database {
  async function call({ method, statements }: Call): Promise<unknown> {
    const response = await pool.request({
      method: 'POST',
      path: '/',
      body: JSON.stringify({ method, statements }),
    })
    if (response.statusCode !== 200) throw new Error(await response.body.text())
    return response.body.json()
  }
  function statement(sql: string, params: readonly Value[]): Statement {
    const one = (method: Call['method']) => call({ method, statements: [{ sql, params }] })
    // Drizzle calls these too.
    const more = { run: () => one('run'), all: () => one('all') }
    return {
      sql,
      params,
      bind: (...values) => statement(sql, values),
      raw: () => one('raw') as Promise<unknown[][]>,
      ...more,
    }
  }
  return {
    prepare: (sql) => statement(sql, []),
    batch: (statements) => {
      const bare = (statements as Statement[]).map(({ sql, params }) => ({ sql, params }))
      return call({ method: 'batch', statements: bare }) as Promise<D1Result[]>
    },
  }
}
