// The state of the timezones and the result of a replan as JSON, for both HTTP and the command line.
import { formatInstant, formatOffset, instantOrNull } from '../../domain/time/timestamp.ts'
import { isPlace } from '../../domain/time/timezone.ts'
import type { ZoneState } from '../../domain/time/tz-difference.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import { suggestZones } from '../../domain/time/zone-suggestions.ts'
import type { ZoneStore } from '../../ports/store.ts'
import type { ReplanReport } from './replan.ts'
import type { ZoneMoves } from './zone-tally.ts'
import { countPeople, lastChangeOf, readZones, type Zones } from './zones.ts'

/**
 * REPLAN_DUE: rules changed, and a replan will move the events. UNRECORDED: no timezone is recorded yet. TABLE_OLDER:
 * events were planned by a later release than this process has.
 */
export const ZONES_STATES = ['CURRENT', 'REPLAN_DUE', 'UNRECORDED', 'TABLE_OLDER'] as const
export type ZonesState = (typeof ZONES_STATES)[number]

export async function describeZones(
  store: ZoneStore & Parameters<typeof countPeople>[0],
  table: TimezoneTable,
  now: number,
) {
  const zones = await readZones(store, table, now)
  const { version } = table
  const changed = zones.states.filter((state) => state.kind === 'changed')
  const people = await countPeople(store)
  const last = lastChangeOf(zones)
  return {
    version,
    recorded: zones.releases,
    state: stateOf(zones),
    differs: changed.map((state) => ({
      ...differenceJson(state, version),
      people: people.get(state.zone) ?? 0,
    })),
    notPlaces: notPlaces(people, { now, table }),
    lastChange: last && { ...last, at: formatInstant(last.at) },
  }
}

/** The timezones of people that are an abbreviation or an offset. New people cannot have them. */
function notPlaces(people: ReadonlyMap<string, number>, at: { now: number; table: TimezoneTable }) {
  return [...people]
    .filter(([zone]) => !isPlace(zone))
    .map(([zone, count]) => ({ zone, people: count, suggestions: suggestZones(zone, at).suggestions }))
    .sort((a, b) => b.people - a.people || (a.zone < b.zone ? -1 : 1))
}

function stateOf({ states, releases }: Zones): ZonesState {
  if (releases.length === 0) return 'UNRECORDED'
  if (states.some(({ kind }) => kind === 'ahead')) return 'TABLE_OLDER'
  return states.some(({ kind }) => kind === 'changed') ? 'REPLAN_DUE' : 'CURRENT'
}

function differenceJson({ zone, known, difference }: ZoneState & { kind: 'changed' }, to: string) {
  const { at, fromOffsetMs, toOffsetMs } = difference
  const [offsetFrom, offsetTo] = [formatOffset(fromOffsetMs / 1000), formatOffset(toOffsetMs / 1000)]
  return { zone, from: known.version, to, since: formatInstant(at), offsetFrom, offsetTo }
}

export function replanJson({ release: version, zones, failed, ...rest }: ReplanReport, dryRun: boolean) {
  const sum = (of: (moves: ZoneMoves) => number) => zones.reduce((total, moves) => total + of(moves), 0)
  const counts = { moved: sum(({ moved }) => moved), unmoved: sum(({ unmoved }) => unmoved) }
  return { version, dryRun, ...counts, zones: zones.map(movesJson), ...rest, errors: failed }
}

function movesJson({ exampleFrom, exampleTo, ...moves }: ZoneMoves) {
  return { ...moves, exampleFrom: instantOrNull(exampleFrom), exampleTo: instantOrNull(exampleTo) }
}
