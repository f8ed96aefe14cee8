// Statements that append to the journal: each belongs into the batch of its change, before it, and repeats its condition.
import type { User } from '../../../domain/users/user.ts'
import type { ZoneRecord } from '../../../ports/store.ts'
import { isSameOccurrence } from '../../shared/failures.ts'
import {
  ERASED,
  erasedFrom,
  eraseLedger,
  idHash,
  JOURNAL_COLUMNS,
  type JsonSql,
  occasionSql,
  personJson,
  personSql,
  rejectLastPage,
} from '../../shared/ledger/journal.ts'
import { REPLAY_SQL } from '../events/replay.ts'
import type { OverRows, Plain, Value } from '../executor.ts'
import { jsonTable } from '../json-rows.ts'

const JSON_SQL: JsonSql = {
  object: 'json_object',
  instant: (column) => column,
  nested: (json) => `json(${json})`,
}

const APPEND = `INSERT INTO journal (${JOURNAL_COLUMNS})`

/** The parameters are those of `where`, by number. */
export function recordPerson(user: User, where: string, params: readonly Value[]): Plain {
  const [at, after] = [`?${params.length + 1}`, `?${params.length + 2}`]
  return {
    sql: `${APPEND} SELECT ${at}, 'person-changed', u.id, NULL, NULL, ${personSql(JSON_SQL)} FROM users AS u
      WHERE ${personSql(JSON_SQL)} <> ${after} AND ${where}`,
    params: [...params, user.updatedAt, personJson(user)],
  }
}

/** SQL over rows with `id`, `at` and the new `state`: appends the state before where it changes. */
export const recordOccasions = (where: string) =>
  `${APPEND} SELECT ref.at, 'occasion-changed', NULL, o.id, NULL, ${occasionSql(JSON_SQL)}
  FROM {rows} AS ref CROSS JOIN occasions AS o ON o.id = ref.id LEFT JOIN tasks AS t ON t.id = o.id
  WHERE ${occasionSql(JSON_SQL)} <> ref.state AND ${where}`

const ERASED_JSON = Object.entries(ERASED)
  .map(([field, column]) => `'${field}', ${column}`)
  .join(', ')

const WAS_REPLAYED = `EXISTS (SELECT 1 FROM events AS later WHERE ${isSameOccurrence(REPLAY_SQL, 'later', 'e')}
          AND ${REPLAY_SQL.number('later.occurrence')} > ${REPLAY_SQL.number('e.occurrence')})`

/** Records that people or occasions are deleted, if there are any, and erases them from the ledger. */
export function eraseFromLedger(of: 'person' | 'occasion', ids: readonly string[], at: number): Plain[] {
  const those = 'SELECT value FROM json_each(?1)'
  const occasions = of === 'person' ? `SELECT id FROM occasions WHERE user_id IN (${those})` : those
  const entries =
    of === 'person'
      ? `user_id IN (${those}) OR occasion_id IN (${occasions})`
      : `occasion_id IN (${occasions})`
  const own = of === 'person' ? 'IN (SELECT id FROM occasions WHERE user_id = ref.id)' : '= ref.id'
  const record = `${APPEND} SELECT ?2, '${of}-deleted', NULL, NULL, ref.hash,
      (SELECT json_group_array(json_object(${ERASED_JSON})) FROM (SELECT * FROM events AS e
        WHERE occasion_id ${own} AND (wake_at IS NOT NULL OR target_at >= ?3) AND NOT ${WAS_REPLAYED} ORDER BY target_at))
    FROM ${jsonTable(['id', 'hash'], '?1')} AS ref CROSS JOIN ${of === 'person' ? 'users' : 'occasions'} AS found ON found.id = ref.id`
  const hashes = JSON.stringify(ids.map((id) => [id, idHash(id)]))
  return [
    { sql: record, params: [hashes, at, erasedFrom(at)] },
    { sql: rejectLastPage(''), params: [] },
    ...eraseLedger('', entries, occasions).map((sql) => ({ sql, params: [JSON.stringify(ids)] })),
  ]
}

const IS_NEW = 'z.name IS NULL'

const RECORD_ZONES = `${APPEND} SELECT ref.at, 'zone-changed', NULL, NULL, ref.name, json_object(
    'before', json(CASE WHEN z.name IS NOT NULL THEN json_object('rules', z.rules, 'version', z.version) END),
    'after', json_object('rules', ref.rules, 'version', ref.version))
  FROM {rows} AS ref LEFT JOIN timezones AS z ON z.name = ref.name WHERE `

export function recordZones(
  zones: readonly ZoneRecord[],
  { at, onlyNew }: { at: number; onlyNew?: boolean },
): OverRows {
  const isOther = `(${IS_NEW} OR z.rules <> ref.rules OR z.version <> ref.version)`
  return {
    sql: `${RECORD_ZONES}${onlyNew ? IS_NEW : isOther}`,
    columns: ['name', 'rules', 'version', 'at'],
    rows: zones.map(({ name, rules, version }) => [name, rules, version, at]),
  }
}
