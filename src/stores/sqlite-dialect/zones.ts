// Records the rules by which the events of each timezone were last planned. A few hundred rows.
import type { ZoneRecord, ZoneStore } from '../../ports/store.ts'
import type { Executor } from './executor.ts'
import { recordZones } from './ledger/journal.ts'

const ZONE_COLUMNS = [
  'name',
  'rules',
  'version',
  'previous_rules',
  'previous_version',
  'changed_at',
  'replan_cursor',
] as const

const INSERT_ZONES = `INSERT INTO timezones (${ZONE_COLUMNS.join(', ')}) SELECT ${ZONE_COLUMNS.join(', ')} FROM {rows} WHERE true`
const ADD_ZONES = `${INSERT_ZONES} ON CONFLICT DO NOTHING`
const SAVE_ZONES = `${INSERT_ZONES}
  ON CONFLICT (name) DO UPDATE SET ${ZONE_COLUMNS.slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`

export async function saveZones(
  executor: Executor,
  zones: readonly ZoneRecord[],
  how: { at: number; onlyNew?: boolean },
): Promise<void> {
  const sql = how.onlyNew ? ADD_ZONES : SAVE_ZONES
  const rows = zones.map(
    ({ name, rules, version, previousRules, previousVersion, changedAt, replanCursor }) => {
      return [name, rules, version, previousRules, previousVersion, changedAt, replanCursor]
    },
  )
  await executor.batch([recordZones(zones, how), { sql, columns: ZONE_COLUMNS, rows }])
}

const SAVE_CURSOR = 'UPDATE timezones SET replan_cursor = ?3 WHERE name = ?1 AND version = ?2'

export async function saveReplanCursor(
  executor: Executor,
  { name, version, replanCursor }: Parameters<ZoneStore['saveReplanCursor']>[0],
): Promise<void> {
  await executor.batch([{ sql: SAVE_CURSOR, params: [name, version, replanCursor] }])
}
