// The tables of PostgreSQL, by subject.
export * from './schema/events.ts'
export * from './schema/people.ts'
export * from './schema/settings.ts'
