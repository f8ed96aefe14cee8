// The tables of SQLite and D1, by subject. Instants are epoch milliseconds; ids are UUIDs as text.
export * from './schema/events.ts'
export * from './schema/people.ts'
export * from './schema/settings.ts'
