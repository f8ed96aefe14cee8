// When nine o'clock is, worked out a second time and in another way than the product does: each stretch of the raw
// table is asked in turn whether its clock ever shows that time. Shares only the data with the product.
import data from '../../src/domain/tzdb.json' with { type: 'json' }

export type Settings = {
  /** `YYYY-MM-DD` */
  dateOfBirth: string
  timezone: string
}

/** A time in which the offset of a place did not change. */
type Stretch = { from: number; until: number; offsetMs: number }

const zones: Readonly<Record<string, string>> = data.zones
const links: Readonly<Record<string, string>> = data.links
const known = new Map<string, Stretch[]>()

export const ZONE_NAMES: readonly string[] = [...Object.keys(zones), ...Object.keys(links)].sort()

/** The instant of nine o'clock on that person's day in that year. */
export function dueIn(year: number, { dateOfBirth, timezone }: Settings): number {
  const [, month, day] = dateOfBirth.split('-').map(Number)
  // In a common year the 29th of February is the 1st of March all by itself.
  return instantOf(Date.UTC(year, month! - 1, day, 9), timezone)
}

/** The instant at which a place's clock first shows a wall time, itself written as if it were UTC. */
export function instantOf(wallMs: number, timezone: string): number {
  const stretches = stretchesOf(timezone)
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
export function wallAt(instant: number, timezone: string): number {
  const stretch = stretchesOf(timezone).find(({ from, until }) => instant >= from && instant < until)
  return instant + stretch!.offsetMs
}

function stretchesOf(timezone: string): Stretch[] {
  let stretches = known.get(timezone)
  if (stretches === undefined) {
    stretches = readStretches(zones[links[timezone] ?? timezone]!)
    known.set(timezone, stretches)
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
