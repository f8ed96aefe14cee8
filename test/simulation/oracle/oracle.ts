// When nine o'clock is, worked out a second time and in another way than the product does: each stretch of the raw
// table is asked in turn whether its clock ever shows that time. Shares only the data with the product.
import data from '../../../src/domain/time/tzdb.json' with { type: 'json' }
import older from '../../data/tz-2025c.json' with { type: 'json' }

export type Settings = {
  /** `YYYY-MM-DD` */
  dateOfBirth: string
  timezone: string
}

/** A time in which the offset of a place did not change. */
type Stretch = { from: number; until: number; offsetMs: number }

type Table = { zones: Readonly<Record<string, string>>; links: Readonly<Record<string, string>> }

const tables: Readonly<Record<string, Table>> = { [data.version]: data, [older.version]: older }
export const NEWEST = data.version
const known = new Map<string, Stretch[]>()

export const ZONE_NAMES: readonly string[] = namesIn(data)
/** Those that the older table has, too. */
export const SHARED_ZONES: readonly string[] = namesIn(older)

function namesIn({ zones, links }: Table): string[] {
  return [...Object.keys(zones), ...Object.keys(links)].sort()
}

/** Whether the tables do not say the same of a place. */
export function differs(timezone: string): boolean {
  return Object.values(tables).some((table) => lineOf(timezone, table) !== lineOf(timezone, data))
}

function lineOf(timezone: string, { zones, links }: Table): string | undefined {
  return zones[links[timezone] ?? timezone]
}

/** The instant of nine o'clock on that person's day in that year. */
export function dueIn(year: number, { dateOfBirth, timezone }: Settings): number {
  const [, month, day] = dateOfBirth.split('-').map(Number)
  // In a common year the 29th of February is the 1st of March all by itself.
  return instantOf(Date.UTC(year, month! - 1, day, 9), timezone)
}

/** The instant at which a place's clock first shows a wall time, itself written as if it were UTC. */
export function instantOf(wallMs: number, timezone: string, release = NEWEST): number {
  const stretches = stretchesOf(timezone, release)
  for (const { from, until, offsetMs } of stretches) {
    const at = wallMs - offsetMs
    if (at >= from && at < until) return at
  }
  // No clock ever showed it: it was jumped over, and counts on by the clock before the jump.
  for (const [i, { until, offsetMs }] of stretches.entries()) {
    const next = stretches[i + 1]
    if (next && until + offsetMs <= wallMs && wallMs < until + next.offsetMs) return wallMs - offsetMs
  }
  throw new Error(`No clock in ${timezone} can be asked for ${new Date(wallMs).toISOString()}.`)
}

/** What a place's clock shows at an instant, written as if it were UTC. */
export function wallAt(instant: number, timezone: string, release = NEWEST): number {
  const stretch = stretchesOf(timezone, release).find(({ from, until }) => instant >= from && instant < until)
  return instant + stretch!.offsetMs
}

function stretchesOf(timezone: string, release: string): Stretch[] {
  const name = `${release} ${timezone}`
  let stretches = known.get(name)
  if (stretches === undefined) {
    stretches = readStretches(lineOf(timezone, tables[release]!)!)
    known.set(name, stretches)
  }
  return stretches
}

function readStretches(line: string): Stretch[] {
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
