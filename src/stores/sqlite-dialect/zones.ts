// Records the rules by which the events of each timezone were last planned. A few hundred rows.
import type { ZoneRecord, ZoneStore } from '../../ports/store.ts'
import { nameList, omit, setList } from '../shared/columns/columns.ts'
import { ZONE } from '../shared/columns/zones.ts'
import { type Executor, overRows } from './executor.ts'

const INSERT_ZONES = `INSERT INTO timezones (${nameList(ZONE)}) SELECT ${nameList(ZONE)} FROM {rows} WHERE true`
const ADD_ZONES = `${INSERT_ZONES} ON CONFLICT DO NOTHING`
const SAVE_ZONES = `${INSERT_ZONES} ON CONFLICT (name) DO UPDATE SET ${setList(omit(ZONE, 'name'), 'excluded')}`

export async function saveZones(
  executor: Executor,
  zones: readonly ZoneRecord[],
  how?: { onlyNew: boolean },
): Promise<void> {
  await executor.batch([overRows(how?.onlyNew ? ADD_ZONES : SAVE_ZONES, ZONE, zones)])
}

const SAVE_CURSOR = 'UPDATE timezones SET replan_cursor = ?3 WHERE name = ?1 AND version = ?2'

export async function saveReplanCursor(
  executor: Executor,
  { name, version, replanCursor }: Parameters<ZoneStore['saveReplanCursor']>[0],
): Promise<void> {
  await executor.batch([{ sql: SAVE_CURSOR, params: [name, version, replanCursor] }])
}
