// Records the rules by which the events of each timezone were last planned. A few hundred rows.
import type { SettingsStore, ZoneRecord } from '../../ports/store.ts'
import { arrays, type Columns, unnest } from './arrays.ts'
import type { Connection } from './connection.ts'

const ZONE: Columns = {
  name: 'text',
  rules: 'text',
  version: 'text',
  previous_rules: 'text',
  previous_version: 'text',
  changed_at: 'instant',
  replan_cursor: 'text',
}

const NAMES = Object.keys(ZONE)

// In name order, to avoid deadlocks between concurrent writers.
const INSERT_ZONES = `INSERT INTO terce.timezones (${NAMES.join(', ')})
  SELECT ${NAMES.join(', ')} FROM ${unnest(ZONE)} ORDER BY name`
const ADD_ZONES = `${INSERT_ZONES} ON CONFLICT DO NOTHING`
const SAVE_ZONES = `${INSERT_ZONES}
  ON CONFLICT (name) DO UPDATE SET ${NAMES.slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

export async function saveZones(
  connection: Connection,
  zones: readonly ZoneRecord[],
  how?: { onlyNew: boolean },
): Promise<void> {
  const rows = zones.map(
    ({ name, rules, version, previousRules, previousVersion, changedAt, replanCursor }) => {
      return [name, rules, version, previousRules, previousVersion, changedAt, replanCursor]
    },
  )
  await connection.query({ text: how?.onlyNew ? ADD_ZONES : SAVE_ZONES, values: arrays(ZONE, rows) })
}

const SAVE_CURSOR = 'UPDATE terce.timezones SET replan_cursor = $3 WHERE name = $1 AND version = $2'

export async function saveReplanCursor(
  connection: Connection,
  { name, version, replanCursor }: Parameters<SettingsStore['saveReplanCursor']>[0],
): Promise<void> {
  await connection.query({ text: SAVE_CURSOR, values: [name, version, replanCursor] })
}
