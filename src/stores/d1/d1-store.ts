// The store on Cloudflare's D1. Its schema is the one of SQLite, brought there by `wrangler d1 migrations apply`.
import { drizzle } from 'drizzle-orm/d1'
import type { Store } from '../../ports/store.ts'
import type { DrizzleDatabase } from '../shared/database.ts'
import { createStore } from '../sqlite-dialect/store.ts'
import type { D1Database } from './binding.ts'
import { d1Executor } from './executor.ts'

export function openD1Store(binding: D1Database, onSize?: (bytes: number) => void): Store {
  const executor = d1Executor(binding, onSize)
  const db = drizzle(binding as never) as unknown as DrizzleDatabase
  return createStore(executor, { reader: db, writer: db }, async () => {})
}
