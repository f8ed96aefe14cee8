// By which rules the events of each timezone were last planned. A few hundred rows.
import { asc } from 'drizzle-orm'
import type { Store, ZoneRecord } from '../../ports/store.ts'
import type { Executor } from './executor.ts'
import type { Database } from './reads.ts'
import { timezones } from './schema.ts'

type ZoneOperations = Pick<Store, 'listZones' | 'saveZones'>

export function zoneOperations(executor: Executor, db: Database): ZoneOperations {
  return {
    listZones: () => listZones(db),
    saveZones: (zones, how) => saveZones(executor, zones, how?.onlyNew ? ADD : SAVE),
  }
}

async function listZones(db: Database): Promise<ZoneRecord[]> {
  return db.select().from(timezones).orderBy(asc(timezones.name))
}

const ZONE_COLUMNS = ['name', 'rules', 'version', 'previous_rules', 'previous_version', 'changed_at'] as const

const INSERT = `INSERT INTO timezones (${ZONE_COLUMNS.join(', ')}) SELECT ${ZONE_COLUMNS.join(', ')} FROM {rows} WHERE true`
const ADD = `${INSERT} ON CONFLICT DO NOTHING`
const SAVE = `${INSERT}
  ON CONFLICT (name) DO UPDATE SET ${ZONE_COLUMNS.slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`

async function saveZones(executor: Executor, zones: readonly ZoneRecord[], sql: string): Promise<void> {
  const rows = zones.map(({ name, rules, version, previousRules, previousVersion, changedAt }) => {
    return [name, rules, version, previousRules, previousVersion, changedAt]
  })
  await executor.batch([{ sql, columns: ZONE_COLUMNS, rows }])
}
