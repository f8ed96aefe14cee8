// Reads what the accounts of all occasions share: the timezone rules and the limits of lateness that were in force.
import type { Context } from '../../domain/ledger/account/input.ts'
import { createZoneHistory } from '../../domain/ledger/account/zone-history.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { LedgerStore, ZoneStore } from '../../ports/store.ts'

/** `unreadable`: the numbers of the entries of the journal that cannot be read. */
export type ReadContext = Context & { unreadable: number[] }

export async function readContext(
  store: Pick<LedgerStore, 'readJournal'> & Pick<ZoneStore, 'listZones'>,
  table: TimezoneTable,
  now: number,
): Promise<ReadContext> {
  const [zones, changes, limits] = await Promise.all([
    store.listZones(),
    store.readJournal({ kinds: ['zone-changed'], from: 0 }),
    store.readJournal({ kinds: ['limits-changed'], from: 0 }),
  ])
  const recorded = new Map(zones.map((zone) => [zone.name, zone]))
  const changed = changes.entries.flatMap(({ zone, at, before }) =>
    before === null ? [] : [{ zone, at, before }],
  )
  const rulesOf = (zone: string) => {
    const record = recorded.get(zone)
    if (record === undefined)
      return { current: { rules: table.rules(zone), version: table.version }, older: null }
    const { previousRules: rules, previousVersion: version } = record
    return { current: record, older: rules === null || version === null ? null : { rules, version } }
  }
  const unreadable = [...changes.unreadable, ...limits.unreadable]
  return { zones: createZoneHistory(rulesOf, changed), limits: limits.entries, now, unreadable }
}
