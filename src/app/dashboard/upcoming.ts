// Counts upcoming events by local date. Only reads, and caches: counting a million events takes a second or two.
import { DAY_MS } from '../../domain/time/calendar.ts'
import { formatLocal } from '../../domain/time/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DashboardStore, UpcomingPoint } from '../../ports/store.ts'
import { type Cached, cached } from '../cached.ts'

/** How many events fall on each local date, and the instant that most of them share. */
export type Upcoming = {
  days: { date: string; count: number }[]
  busiest: { targetAt: number; count: number } | null
}

type UpcomingReader = (days: number) => Promise<Cached<Upcoming>>

const MIN_TTL_MS = 1_000
/** The dashboard asks for one or two ranges. */
const LENGTHS_KEPT = 4

export function createUpcomingReader(deps: {
  store: DashboardStore
  clock: Clock
  onDemand?: boolean
}): UpcomingReader {
  const { store, clock } = deps
  const readers = new Map<number, () => Promise<Cached<Upcoming>>>()
  return (days) => {
    const read =
      readers.get(days) ??
      cached(deps, MIN_TTL_MS, async () => {
        const from = clock.now()
        return sortByDate(await store.countUpcoming({ from, before: from + days * DAY_MS }))
      })
    if (readers.size >= LENGTHS_KEPT && !readers.has(days)) readers.clear()
    readers.set(days, read)
    return read()
  }
}

function sortByDate(points: readonly UpcomingPoint[]): Upcoming {
  const days = new Map<string, number>()
  const instants = new Map<number, number>()
  for (const { targetAt, offsetSeconds, count } of points) {
    const date = formatLocal(targetAt, offsetSeconds).slice(0, 10)
    days.set(date, (days.get(date) ?? 0) + count)
    instants.set(targetAt, (instants.get(targetAt) ?? 0) + count)
  }
  let busiest: Upcoming['busiest'] = null
  for (const [targetAt, count] of instants) {
    const isFirst = busiest === null || count > busiest.count
    if (isFirst || (count === busiest!.count && targetAt < busiest!.targetAt)) busiest = { targetAt, count }
  }
  const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1))
  return { days: sorted.map(([date, count]) => ({ date, count })), busiest }
}
