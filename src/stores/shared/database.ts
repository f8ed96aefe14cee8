// The database as the shared reads and writes see it: Drizzle's query builder, the tables, and what differs by dialect.
import type { Column, SQL } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { SearchTerm } from '../../domain/users/search.ts'
import type * as tables from '../tables/sqlite.ts'
import type { ReplaySql } from './events/failures.ts'

/**
 * Typed as SQLite's. PostgreSQL's builder has the same methods and, since instants are numbers in both, its tables have the
 * same row types: it is passed in by one cast.
 */
export type DrizzleDatabase = BaseSQLiteDatabase<'async', unknown>
export type Tables = typeof tables

export type Shared = {
  reader: DrizzleDatabase
  writer: DrizzleDatabase
  tables: Tables
  dialect: Dialect
}

/** How users are found by the beginnings of their words. */
export type SearchSql = {
  /** True for users who match the term. */
  matches(term: SearchTerm): SQL
  /** Selects, each of which finds the ids of all users who match the terms, by an index, and maybe of others. */
  candidates(terms: readonly SearchTerm[]): SQL[]
}

/** Conditions that the dialects write differently. */
export type Dialect = {
  /** The column is one of many values, which are passed as one parameter. */
  isOneOf(column: Column, values: readonly string[]): SQL
  search: SearchSql
  /** True for every open event: with it, a condition on `wake_at` reads the index on lanes. */
  isInLane(table: string): SQL
  replaySql: ReplaySql
  /** The time by the database's clock; null if the processes' own clocks are one. */
  clockMs: SQL<number> | null
}
