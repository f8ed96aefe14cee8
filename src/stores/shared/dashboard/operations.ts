// The dashboard operations over the statements of a dialect.
import type { DashboardStore, FailureCount, UpcomingPoint } from '../../../ports/store.ts'
import { type EventSource, latestEvents } from '../events/events.ts'
import {
  failureCount,
  firstFailureId,
  overviewSpan,
  RECENT,
  readOverview,
  upcomingBounds,
  upcomingPage,
  upcomingPoint,
} from './dashboard.ts'

type Row = readonly unknown[]

export type DashboardStatements = Readonly<
  Record<
    | 'countInFlight'
    | 'countBegun'
    | 'countWaiting'
    | 'countUnknown'
    | 'readLateness'
    | 'countByTimezone'
    | 'countParked'
    | 'sampleDeliveries'
    | 'countUpcoming'
    | 'listUpcoming'
    | 'countUnresolved'
    | 'countFailures',
    string
  >
>

export function dashboardOperations(
  statements: DashboardStatements,
  read: (statement: string, values: (string | number)[]) => Promise<Row[]>,
  source: EventSource,
): Omit<DashboardStore, 'dismissFailures'> {
  return {
    async pulse(now) {
      const { ids } = overviewSpan(now)
      const [[inFlight], recent] = await Promise.all([
        read(statements.countInFlight, [now]),
        latestEvents(source, { before: ids.before, limit: RECENT }),
      ])
      return { inFlight: inFlight?.[0] as number, recent }
    },

    async overview(now) {
      const { dayAgo, wave, ids, waitsUntil } = overviewSpan(now)
      const day = [ids.from, ids.before, dayAgo]
      const [begun, [waiting], pending, [unknown], lateness, [unresolved]] = await Promise.all([
        read(statements.countBegun, day),
        read(statements.countWaiting, [waitsUntil]),
        read(statements.countUpcoming, [wave.from, wave.before]),
        read(statements.countUnknown, day),
        read(statements.readLateness, day),
        read(statements.countUnresolved, [firstFailureId(dayAgo), dayAgo]),
      ])
      return readOverview({ begun, pending, waiting, unknown, lateness, unresolved }, now)
    },

    async countFailures({ from, now }): Promise<FailureCount[]> {
      return (await read(statements.countFailures, [now, firstFailureId(from), from])).flatMap(failureCount)
    },

    async countByTimezone() {
      const rows = await read(statements.countByTimezone, [])
      return rows.map(([timezone, people]) => ({ timezone: timezone as string, people: people as number }))
    },

    async countParked(channelId) {
      return (await read(statements.countParked, [channelId]))[0]?.[0] as number
    },

    async sampleDeliveries(channelId, now) {
      const { ids, dayAgo } = overviewSpan(now)
      const rows = await read(statements.sampleDeliveries, [ids.from, ids.before, dayAgo, channelId])
      return rows.map(([status, tookMs]) => ({
        isDelivered: status === 'COMPLETED',
        tookMs: tookMs as number,
      }))
    },

    async countUpcoming({ from, before }): Promise<UpcomingPoint[]> {
      return (await read(statements.countUpcoming, [from, before])).map(upcomingPoint)
    },

    async listUpcoming(query) {
      const { from, before, local, after } = upcomingBounds(query)
      const place = [after.dueAt, after.id, local.from, local.before]
      const rows = await read(statements.listUpcoming, [from, before, ...place, query.limit + 1])
      return upcomingPage(source, rows, query)
    },
  }
}
