// Records the rules by which the events of each timezone were last planned. A few hundred rows.
import type { ZoneRecord, ZoneStore } from '../../ports/store.ts'
import { nameList, omit, setList } from '../shared/columns/columns.ts'
import { ZONE } from '../shared/columns/zones.ts'
import { arrays, unnest } from './arrays.ts'
import type { Connection } from './connection.ts'

// In name order, to avoid deadlocks between concurrent writers.
const INSERT_ZONES = `INSERT INTO terce.timezones (${nameList(ZONE)})
  SELECT ${nameList(ZONE)} FROM ${unnest(ZONE)} ORDER BY name`
const ADD_ZONES = `${INSERT_ZONES} ON CONFLICT DO NOTHING`
const SAVE_ZONES = `${INSERT_ZONES} ON CONFLICT (name) DO UPDATE SET ${setList(omit(ZONE, 'name'), 'excluded')}`

export async function saveZones(
  connection: Connection,
  zones: readonly ZoneRecord[],
  how?: { onlyNew: boolean },
): Promise<void> {
  await connection.query({ text: how?.onlyNew ? ADD_ZONES : SAVE_ZONES, values: arrays(ZONE, zones) })
}

const SAVE_CURSOR = 'UPDATE terce.timezones SET replan_cursor = $3 WHERE name = $1 AND version = $2'

export async function saveReplanCursor(
  connection: Connection,
  { name, version, replanCursor }: Parameters<ZoneStore['saveReplanCursor']>[0],
): Promise<void> {
  await connection.query({ text: SAVE_CURSOR, values: [name, version, replanCursor] })
}
