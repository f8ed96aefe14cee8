// Counts for the dashboard: those of all shards, added up.
import type { DashboardStore, FailureCount, Overview, WavePoint } from '../../ports/store.ts'
import { LATENESS_SAMPLE, RECENT } from '../shared/dashboard/dashboard.ts'
import { type Routes, sum } from './routes.ts'
import { compareText } from './user-order.ts'

export function dashboardOperations({ each }: Routes): Omit<DashboardStore, 'listUpcoming'> {
  return {
    async pulse(now) {
      const parts = await each((store) => store.pulse(now))
      const recent = parts.flatMap((part) => part.recent).sort((a, b) => compareText(b.id, a.id))
      return { inFlight: sum(parts.map(({ inFlight }) => inFlight)), recent: recent.slice(0, RECENT) }
    },

    async overview(now): Promise<Overview> {
      const parts = await each((store) => store.overview(now))
      const total = (count: (part: Overview) => number) => sum(parts.map(count))
      const wave = addUp(
        parts.flatMap((part) => part.wave),
        ({ targetAt, offsetSeconds, status }) => `${targetAt} ${offsetSeconds} ${status}`,
      )
      return {
        waiting: total(({ waiting }) => waiting),
        sent: total(({ sent }) => sent),
        failed: total(({ failed }) => failed),
        ambiguous: total(({ ambiguous }) => ambiguous),
        latenessMs: sample(parts.flatMap(({ latenessMs }) => latenessMs)),
        wave: wave.sort(byInstant),
      }
    },

    async countFailures(of) {
      const parts = (await each((store) => store.countFailures(of))).flat()
      const counts = addUp(
        parts,
        ({ channelId, state, reason, hoursAgo }) => JSON.stringify([channelId, reason, state, hoursAgo]),
        (a: FailureCount, b) => ({
          oldestAt: Math.min(a.oldestAt, b.oldestAt),
          newestAt: Math.max(a.newestAt, b.newestAt),
        }),
      )
      return counts.sort(byReason)
    },

    async countByTimezone() {
      const counts = new Map<string, number>()
      for (const { timezone, people } of (await each((store) => store.countByTimezone())).flat())
        counts.set(timezone, (counts.get(timezone) ?? 0) + people)
      const sorted = [...counts].sort(([a], [b]) => compareText(a, b))
      return sorted.map(([timezone, people]) => ({ timezone, people }))
    },

    countParked: async (channelId) => sum(await each((store) => store.countParked(channelId))),

    async countUpcoming(span) {
      const parts = (await each((store) => store.countUpcoming(span))).flat()
      return addUp(parts, ({ targetAt, offsetSeconds }) => `${targetAt} ${offsetSeconds}`)
    },
  }
}

/** In the order of one store: by instant, events that were begun before pending ones, by offset and status. */
function byInstant(a: WavePoint, b: WavePoint): number {
  const [pending, other] = [a, b].map(({ status }) => Number(status === 'PENDING')) as [number, number]
  return (
    a.targetAt - b.targetAt ||
    pending - other ||
    a.offsetSeconds - b.offsetSeconds ||
    compareText(a.status, b.status)
  )
}

/** In the order of one store: by channel, those without one first, by reason, state and hour. */
function byReason(a: FailureCount, b: FailureCount): number {
  return (
    compareText(a.channelId ?? '', b.channelId ?? '') ||
    compareText(a.reason, b.reason) ||
    compareText(a.state, b.state) ||
    a.hoursAgo - b.hoursAgo
  )
}

/** Adds up the counts of equal keys. */
function addUp<T extends { count: number }>(
  counts: readonly T[],
  keyOf: (one: T) => string,
  combine: (a: T, b: T) => Partial<T> = () => ({}),
): T[] {
  const byKey = new Map<string, T>()
  for (const one of counts) {
    const before = byKey.get(keyOf(one))
    const both = before && { ...before, ...combine(before, one), count: before.count + one.count }
    byKey.set(keyOf(one), both ?? one)
  }
  return [...byKey.values()]
}

/** Every so many of the values, in their order: those of all shards alike. */
function sample(values: readonly number[]): number[] {
  const step = Math.ceil(values.length / LATENESS_SAMPLE)
  return values.filter((_, i) => i % Math.max(1, step) === 0)
}
