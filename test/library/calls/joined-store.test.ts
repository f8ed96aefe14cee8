import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createJoin } from '../../../src/library/calls/joined-store.ts'

it('a connection to SQLite is rejected as tx until a transaction has begun on it', () => {
  const db = new DatabaseSync(':memory:')
  const join = createJoin<DatabaseSync>({ clientOf: (tx) => tx }, 'terce')
  expect(() => join(db)).toThrow('Begin a transaction before you pass the connection as tx')
  db.exec('BEGIN')
  expect(join(db)).toHaveProperty('createUsers')
  db.close()
})
