// Today as the dashboard shows it: events by due time and offset, events in flight, people by timezone. Only reads.
import type { EventStatus } from '../../domain/events/event-status.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  DashboardStore,
  DestinationStore,
  Overview,
  Pulse,
  SettingsStore,
  WavePoint,
  WorkerSeen,
  WorkerStore,
} from '../../ports/store.ts'
import { cached } from '../cached.ts'
import { ALIVE_MS } from './heartbeat.ts'
import { createStoppedReader, type StoppedCount } from './stopped.ts'

export type Today = {
  now: number
  /** When the oldest of the counts was read. */
  countedAt: number
  tzVersion: string
  people: number
  pulse: Pulse
  overview: Overview
  /** The live workers; null where functions are started on demand. */
  workers: WorkerSeen[] | null
  lateness: { p50Ms: number; p95Ms: number } | null
  wave: Crest[]
  /** The earliest instant at which messages are due, and how many. */
  next: { dueAt: number; count: number } | null
  zones: { timezone: string; offsetMinutes: number; people: number }[]
  stopped: StoppedCount[]
}

/** All events of one instant and offset. */
type Crest = {
  dueAt: number
  offsetMinutes: number
  sent: number
  inFlight: number
  failed: number
  remaining: number
}

type TodayReader = () => Promise<Today>

const MIN_TTL_MS = 1_000

export function createTodayReader(deps: {
  store: DashboardStore &
    Pick<SettingsStore, 'listChannels'> &
    Pick<DestinationStore, 'listDestinations'> &
    Pick<WorkerStore, 'listWorkers'>
  clock: Clock
  table: TimezoneTable
  onDemand: boolean
  hasHandlers?: boolean | undefined
}): TodayReader {
  const { store, clock, table, onDemand } = deps
  // Two caches: the counts of a large table are cached for up to a minute, and the pulse must not wait for them.
  const pulse = cached(deps, MIN_TTL_MS, async () => {
    const now = clock.now()
    return Promise.all([store.pulse(now), onDemand ? null : store.listWorkers(now - ALIVE_MS)])
  })
  const counts = cached(deps, MIN_TTL_MS, () =>
    Promise.all([store.overview(clock.now()), store.countByTimezone()]),
  )
  const stoppedChannels = createStoppedReader(deps)
  return async () => {
    const now = clock.now()
    const [beat, counted, stopped] = await Promise.all([pulse(), counts(), stoppedChannels()])
    const [overview, timezones] = counted.value
    return {
      now,
      countedAt: Math.min(beat.at, counted.at),
      tzVersion: table.version,
      people: peopleIn(timezones),
      pulse: beat.value[0],
      overview,
      workers: beat.value[1],
      lateness: percentiles(overview.latenessMs.map((ms) => [ms, 1])),
      stopped,
      wave: crests(overview.wave),
      next: nextDue(overview.wave, now),
      zones: timezones.flatMap(({ timezone, people }) => {
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

/** Of values and how often each occurs; null for none. */
export function percentiles(
  counted: readonly (readonly [ms: number, count: number])[],
): { p50Ms: number; p95Ms: number } | null {
  if (counted.length === 0) return null
  const sorted = counted.toSorted(([a], [b]) => a - b)
  const total = sumOf(sorted.map(([, count]) => ({ count })))
  const at = (share: number) => {
    let seen = 0
    const isReached = ([, count]: (typeof sorted)[number]) => {
      seen += count
      return seen > total * share
    }
    return sorted.find(isReached)![0]
  }
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
}

export function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}

const FIELD: Readonly<Record<EventStatus, 'sent' | 'inFlight' | 'failed' | 'remaining'>> = {
  PENDING: 'remaining',
  PROCESSING: 'inFlight',
  COMPLETED: 'sent',
  FAILED: 'failed',
}

function nextDue(points: readonly WavePoint[], now: number): Today['next'] {
  const pending = points.filter(({ status, targetAt }) => status === 'PENDING' && targetAt > now)
  if (pending.length === 0) return null
  const dueAt = pending.reduce((least, { targetAt }) => Math.min(least, targetAt), Number.POSITIVE_INFINITY)
  const together = pending.filter(({ targetAt }) => targetAt === dueAt)
  return { dueAt, count: sumOf(together) }
}

/** Grouped by minute: the chart of the dashboard shows nothing finer. */
function crests(points: readonly WavePoint[]): Crest[] {
  const found = new Map<string, Crest>()
  for (const { targetAt, offsetSeconds, status, count } of points) {
    const dueAt = Math.floor(targetAt / 60_000) * 60_000
    const offsetMinutes = Math.round(offsetSeconds / 60)
    const key = `${dueAt} ${offsetMinutes}`
    const crest = found.get(key) ?? { dueAt, offsetMinutes, sent: 0, inFlight: 0, failed: 0, remaining: 0 }
    crest[FIELD[status]] += count
    found.set(key, crest)
  }
  return [...found.values()]
}
