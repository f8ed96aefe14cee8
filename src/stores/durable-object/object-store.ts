// The store in a Durable Object's own SQLite. Only code inside the object can use it.
import { drizzle } from 'drizzle-orm/durable-sqlite'
import type { Store } from '../../ports/store.ts'
import type { Database } from '../shared/database.ts'
import { createStore } from '../sqlite-dialect/store.ts'
import { objectExecutor } from './executor.ts'
import type { ObjectStorage } from './storage.ts'

/** The database must have been migrated. */
export function openObjectStore(storage: ObjectStorage): Store {
  const db = drizzle(storage as never) as unknown as Database
  return createStore(objectExecutor(storage), { reader: db, writer: db }, async () => {})
}
