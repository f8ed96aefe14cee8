// The instant of a local time, computed in another way than the product does: it searches the periods of the raw
// timezone table for one whose clock shows that time. Shares only the data with the product.
import data from '../../../src/domain/time/tzdb.json' with { type: 'json' }
import older from '../../data/tz-2025c.json' with { type: 'json' }
import { HOUR, MINUTE, SECOND } from '../fixtures.ts'

export type Settings = {
  /** `YYYY-MM-DD`, or `--MM-DD` without the year. */
  dateOfBirth: string
  timezone: string
}

/** A period in which the offset of a timezone is constant. */
type Period = { from: number; until: number; offsetMs: number }

type Table = { zones: Readonly<Record<string, string>>; links: Readonly<Record<string, string>> }

const tables: Readonly<Record<string, Table>> = { [data.version]: data, [older.version]: older }
export const NEWEST = data.version
const known = new Map<string, Period[]>()

const NO_PLACE = /GMT|Greenwich|^[A-Z]ET$|^[A-Z]ST$|\d/

/** Abbreviations and offsets of the timezone table, which no person can have. */
export const NO_PLACES: readonly string[] = [...Object.keys(data.zones), ...Object.keys(data.links)]
  .filter((name) => NO_PLACE.test(name))
  .sort()

export const ZONE_NAMES: readonly string[] = namesIn(data)
/** The names that the older table has too. */
export const SHARED_ZONES: readonly string[] = namesIn(older)

function namesIn({ zones, links }: Table): string[] {
  return [...Object.keys(zones), ...Object.keys(links)].filter((name) => !NO_PLACE.test(name)).sort()
}

/** Whether the tables differ for a timezone. */
export function differs(timezone: string): boolean {
  return Object.values(tables).some((table) => lineOf(timezone, table) !== lineOf(timezone, data))
}

function lineOf(timezone: string, { zones, links }: Table): string | undefined {
  return zones[links[timezone] ?? timezone]
}

/** `09:00` or `09:00:30` in milliseconds since midnight. */
export function timeOfDay(text: string): number {
  const [hour, minute, second = 0] = text.split(':').map(Number)
  return hour! * HOUR + minute! * MINUTE + second * SECOND
}

/** The instant at which the local clock first shows a wall time. The wall time is written as if it were UTC. */
export function instantOf(wallMs: number, timezone: string, release = NEWEST): number {
  const periods = periodsOf(timezone, release)
  for (const { from, until, offsetMs } of periods) {
    const at = wallMs - offsetMs
    if (at >= from && at < until) return at
  }
  // The local clock skipped it: use the offset before the jump.
  for (const [i, { until, offsetMs }] of periods.entries()) {
    const next = periods[i + 1]
    if (next && until + offsetMs <= wallMs && wallMs < until + next.offsetMs) return wallMs - offsetMs
  }
  throw new Error(`No period of ${timezone} contains ${new Date(wallMs).toISOString()}.`)
}

/** The wall time at an instant, written as if it were UTC. */
export function wallAt(instant: number, timezone: string, release = NEWEST): number {
  const period = periodsOf(timezone, release).find(({ from, until }) => instant >= from && instant < until)
  return instant + period!.offsetMs
}

/** The instants at which the offset of a timezone changes. */
export function changesOf(timezone: string): number[] {
  return periodsOf(timezone, NEWEST)
    .slice(1)
    .map(({ from }) => from)
}

function periodsOf(timezone: string, release: string): Period[] {
  const name = `${release} ${timezone}`
  let periods = known.get(name)
  if (periods === undefined) {
    periods = readPeriods(lineOf(timezone, tables[release]!)!)
    known.set(name, periods)
  }
  return periods
}

function readPeriods(line: string): Period[] {
  const [offsets, order, gaps] = line.split('|') as [string, string, string]
  const starts = [Number.NEGATIVE_INFINITY]
  let start = 0
  for (const gap of gaps.split(' ').filter((text) => text !== '')) {
    start += Number.parseInt(gap, 36) * 1000
    starts.push(start)
  }
  return [...order].map((digit, i) => ({
    from: starts[i]!,
    until: starts[i + 1] ?? Number.POSITIVE_INFINITY,
    offsetMs: Number(offsets.split(' ')[Number.parseInt(digit, 36)]) * 1000,
  }))
}
