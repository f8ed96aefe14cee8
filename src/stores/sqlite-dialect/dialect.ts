// Conditions in SQLite's SQL.
import { and, or, sql } from 'drizzle-orm'
import type { Dialect, SearchSql } from '../shared/database.ts'
import { IN_LANES } from './events/lanes.ts'
import { REPLAY_SQL } from './events/replay.ts'

const hasWord = (word: string) => sql`instr(' ' || users.search_text, ${` ${word}`}) > 0`
const withWord = (word: string) => {
  const [first, last] = [word, `${word}\u{10ffff}`]
  return sql`SELECT id FROM users WHERE search_text >= ${first} AND search_text < ${last}
    UNION ALL SELECT user_id FROM user_words WHERE word >= ${first} AND word < ${last}`
}
const longest = (words: readonly string[]) =>
  words.reduce((long, word) => (word.length > long.length ? word : long), '')

const search: SearchSql = {
  matches: ({ whole, parts }) =>
    parts.length === 0 ? hasWord(whole) : or(hasWord(whole), and(...parts.map(hasWord)))!,
  // Everyone who has all parts has the longest one.
  candidates: (terms) =>
    terms.map(({ whole, parts }) =>
      parts.length === 0 ? withWord(whole) : sql`${withWord(whole)} UNION ALL ${withWord(longest(parts))}`,
    ),
}

export const dialect: Dialect = {
  isOneOf: (column, values) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  search,
  isInLane: (table) => sql.raw(`${table}.lane ${IN_LANES}`),
  replaySql: REPLAY_SQL,
  clockMs: null,
}
