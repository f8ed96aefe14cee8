// The tables of PostgreSQL, by subject.

export * from '../ledger/schema.ts'
export * from './enqueued.ts'
export * from './events.ts'
export * from './people.ts'
export * from './settings.ts'
