// Conditions in PostgreSQL's SQL.
import { is, sql } from 'drizzle-orm'
import { PgUUID } from 'drizzle-orm/pg-core'
import type { SearchTerm } from '../../domain/users/search.ts'
import type { Dialect, SearchSql } from '../shared/database.ts'
import { SEARCH_WORDS } from '../tables/postgres.ts'
import { IN_LANES } from './events/lanes.ts'
import { REPLAY_SQL } from './events/replay.ts'

/** Not the text of the index: PostgreSQL would use it for a few users who were found by other means. */
const WORDS_OF_ROW = SEARCH_WORDS.replace(`' ')`, `' ', NULL)`)

const hasWords = (words: string, query: string) => sql`${sql.raw(words)} @@ ${query}::tsquery`
const startsWith = (word: string) => `'${word.replaceAll(/['\\]/g, '$&$&')}':*`

const queryOf = ({ whole, parts }: SearchTerm) =>
  [startsWith(whole), ...(parts.length > 0 ? [`(${parts.map(startsWith).join(' & ')})`] : [])].join(' | ')

const search: SearchSql = {
  matches: (term) => hasWords(WORDS_OF_ROW, queryOf(term)),
  candidates: (terms) => {
    const query = terms.map((term) => `(${queryOf(term)})`).join(' & ')
    return query === '' ? [] : [sql`SELECT users.id FROM terce.users WHERE ${hasWords(SEARCH_WORDS, query)}`]
  },
}

export const dialect: Dialect = {
  isOneOf: (column, values) =>
    sql`${column} = ANY (${sql.param(values)}::${sql.raw(is(column, PgUUID) ? 'uuid[]' : 'text[]')})`,
  search,
  isInLane: (table) => sql.raw(`${table}.lane ${IN_LANES}`),
  replaySql: REPLAY_SQL,
  clockMs: sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::float8`,
}
