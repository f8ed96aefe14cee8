// By which rules the events of each timezone were last planned. A few hundred rows.
import { asc } from 'drizzle-orm'
import type { Store, ZoneRecord } from '../../ports/store.ts'
import { arrays, type Columns, unnest } from './arrays.ts'
import type { Connection } from './connection.ts'
import { msOrNull } from './instant.ts'
import type { Database } from './reads.ts'
import { timezones } from './schema.ts'

type ZoneOperations = Pick<Store, 'listZones' | 'saveZones'>

export function zoneOperations(connection: Connection, db: Database): ZoneOperations {
  return {
    listZones: () => listZones(db),
    saveZones: (zones, how) => saveZones(connection, zones, how?.onlyNew ? ADD : SAVE),
  }
}

async function listZones(db: Database): Promise<ZoneRecord[]> {
  const rows = await db.select().from(timezones).orderBy(asc(timezones.name))
  return rows.map((row) => ({ ...row, changedAt: msOrNull(row.changedAt) }))
}

const ZONE: Columns = {
  name: 'text',
  rules: 'text',
  version: 'text',
  previous_rules: 'text',
  previous_version: 'text',
  changed_at: 'instant',
}

const NAMES = Object.keys(ZONE)

// In order of name, whoever saves: two that save at once would else wait for each other for ever.
const INSERT = `INSERT INTO timezones (${NAMES.join(', ')})
  SELECT ${NAMES.join(', ')} FROM ${unnest(ZONE)} ORDER BY name`
const ADD = `${INSERT} ON CONFLICT DO NOTHING`
const SAVE = `${INSERT}
  ON CONFLICT (name) DO UPDATE SET ${NAMES.slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

async function saveZones(connection: Connection, zones: readonly ZoneRecord[], text: string): Promise<void> {
  const rows = zones.map(({ name, rules, version, previousRules, previousVersion, changedAt }) => {
    return [name, rules, version, previousRules, previousVersion, changedAt]
  })
  await connection.query({ text, values: arrays(ZONE, rows) })
}
