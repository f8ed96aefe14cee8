// The day as a dashboard shows it: the wave of nine o'clocks, what is under way, who lives where. Only reads.
import type { EventStatus } from '../domain/event-status.ts'
import type { TimezoneTable } from '../domain/tzdb.ts'
import type { Clock } from '../ports/clock.ts'
import type { Overview, Store, WavePoint } from '../ports/store.ts'
import { remember } from './remember.ts'

export type Today = {
  now: number
  tzVersion: string
  people: number
  overview: Overview
  lateness: { p50Ms: number; p95Ms: number } | null
  wave: Crest[]
  zones: { timezone: string; offsetMinutes: number; people: number }[]
}

/** All events of one instant and offset. */
export type Crest = {
  dueAt: number
  offsetMinutes: number
  sent: number
  inFlight: number
  failed: number
  toCome: number
}

export type TodayReader = () => Promise<Today>

const OVERVIEW_MS = 1_000
/** A million people are counted in a tenth of a second: not for every look. A few are counted in no time. */
const ZONES_MS = { few: 1_000, many: 30_000 }
const MANY = 20_000

export function createTodayReader(deps: { store: Store; clock: Clock; table: TimezoneTable }): TodayReader {
  const { store, clock, table } = deps
  const overview = remember(
    clock,
    () => OVERVIEW_MS,
    () => store.overview(clock.now()),
  )
  const timezones = remember(
    clock,
    (counted) => (peopleIn(counted) < MANY ? ZONES_MS.few : ZONES_MS.many),
    () => store.countByTimezone(),
  )
  return async () => {
    const now = clock.now()
    const [seen, counted] = await Promise.all([overview(), timezones()])
    return {
      now,
      tzVersion: table.version,
      people: peopleIn(counted),
      overview: seen,
      lateness: latenessOf(seen.latenessMs),
      wave: crests(seen.wave),
      zones: counted.flatMap(({ timezone, people }) => {
        const name = table.canonicalName(timezone)
        if (name === null) return []
        return [{ timezone, people, offsetMinutes: table.zone(name).offsetMsAt(now) / 60_000 }]
      }),
    }
  }
}

function peopleIn(counted: readonly { people: number }[]): number {
  return counted.reduce((sum, { people }) => sum + people, 0)
}

function latenessOf(sample: readonly number[]): Today['lateness'] {
  if (sample.length === 0) return null
  const sorted = sample.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
}

const FIELD: Readonly<Record<EventStatus, 'sent' | 'inFlight' | 'failed' | 'toCome'>> = {
  PENDING: 'toCome',
  PROCESSING: 'inFlight',
  COMPLETED: 'sent',
  FAILED: 'failed',
}

/** By the minute: more is not to be seen. */
function crests(points: readonly WavePoint[]): Crest[] {
  const found = new Map<string, Crest>()
  for (const { targetAt, offsetSeconds, status, count } of points) {
    const dueAt = Math.floor(targetAt / 60_000) * 60_000
    const offsetMinutes = Math.round(offsetSeconds / 60)
    const key = `${dueAt} ${offsetMinutes}`
    const crest = found.get(key) ?? { dueAt, offsetMinutes, sent: 0, inFlight: 0, failed: 0, toCome: 0 }
    crest[FIELD[status]] += count
    found.set(key, crest)
  }
  return [...found.values()]
}
