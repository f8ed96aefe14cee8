// Records the rules by which the events of each timezone were last planned. A few hundred rows.
import type { ZoneRecord, ZoneStore } from '../../ports/store.ts'
import { nameList, omit, setList } from '../shared/columns/columns.ts'
import { ZONE } from '../shared/columns/zones.ts'
import { JOURNAL_COLUMNS } from '../shared/ledger/journal.ts'
import { arrays, unnest } from './arrays.ts'
import type { Connection } from './connection.ts'
import { atMs } from './instant.ts'

// In name order, to avoid deadlocks between concurrent writers.
const INSERT_ZONES = `INSERT INTO terce.timezones (${nameList(ZONE)})
  SELECT ${nameList(ZONE)} FROM ${unnest(ZONE)} ORDER BY name`
const ADD_ZONES = `${INSERT_ZONES} ON CONFLICT DO NOTHING`
const SAVE_ZONES = `${INSERT_ZONES} ON CONFLICT (name) DO UPDATE SET ${setList(omit(ZONE, 'name'), 'excluded')}`

// Two processes that save a timezone at once record its change once.
const LOCK_ZONES = `SELECT z.name FROM terce.timezones AS z JOIN ${unnest(ZONE)} ON ref.name = z.name ORDER BY z.name FOR UPDATE OF z`

const IS_NEW = 'z.name IS NULL'
const IS_OTHER = `(${IS_NEW} OR z.rules <> ref.rules OR z.version <> ref.version)`

const recordZones = (where: string) => `INSERT INTO terce.journal (${JOURNAL_COLUMNS})
  SELECT ${atMs(`$${Object.keys(ZONE).length + 1}`)}, 'zone-changed', NULL, NULL, ref.name, json_build_object(
    'before', CASE WHEN z.name IS NOT NULL THEN json_build_object('rules', z.rules, 'version', z.version) END,
    'after', json_build_object('rules', ref.rules, 'version', ref.version))
  FROM ${unnest(ZONE)} LEFT JOIN terce.timezones AS z ON z.name = ref.name WHERE ${where}`

export async function saveZones(
  connection: Connection,
  zones: readonly ZoneRecord[],
  how: { at: number; onlyNew?: boolean },
): Promise<void> {
  const values = arrays(ZONE, zones)
  await connection.transaction(async (run) => {
    await run({ text: LOCK_ZONES, values })
    await run({ text: recordZones(how.onlyNew ? IS_NEW : IS_OTHER), values: [...values, how.at] })
    await run({ text: how.onlyNew ? ADD_ZONES : SAVE_ZONES, values })
  })
}

const SAVE_CURSOR = 'UPDATE terce.timezones SET replan_cursor = $3 WHERE name = $1 AND version = $2'

export async function saveReplanCursor(
  connection: Connection,
  { name, version, replanCursor }: Parameters<ZoneStore['saveReplanCursor']>[0],
): Promise<void> {
  await connection.query({ text: SAVE_CURSOR, values: [name, version, replanCursor] })
}
