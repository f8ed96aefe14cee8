// The tables of SQLite and D1, by subject. Instants are epoch milliseconds; ids are UUIDs as text. The code that both dialects share is
// typed with them: the tables of PostgreSQL have the same columns and row types.

export * from './events.ts'
export * from './ledger.ts'
export * from './people.ts'
export * from './settings.ts'
