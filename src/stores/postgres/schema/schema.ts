// The tables of PostgreSQL, by subject.

export * from '../enqueue/schema.ts'
export * from '../ledger/schema.ts'
export * from './events.ts'
export * from './people.ts'
export * from './settings.ts'
