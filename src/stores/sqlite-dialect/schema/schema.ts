// The tables of SQLite and D1, by subject. Instants are epoch milliseconds; ids are UUIDs as text.

export * from '../ledger/schema.ts'
export * from './events.ts'
export * from './people.ts'
export * from './settings.ts'
