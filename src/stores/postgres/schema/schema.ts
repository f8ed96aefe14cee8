// The tables of PostgreSQL, by subject.
export * from './enqueued.ts'
export * from './events.ts'
export * from './ledger.ts'
export * from './people.ts'
export * from './settings.ts'
