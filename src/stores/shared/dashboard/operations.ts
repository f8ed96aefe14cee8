// The dashboard operations over the statements of a dialect.
import { laneOf } from '../../../domain/events/lane.ts'
import { firstIdAt } from '../../../domain/events/uuid.ts'
import type { DashboardStore, FailureCount, UpcomingPoint } from '../../../ports/store.ts'
import { type EventSource, latestEvents } from '../events/events.ts'
import {
  failureCount,
  firstFailureId,
  firstTriedId,
  overviewSpan,
  RECENT,
  readOverview,
  upcomingPoint,
} from './dashboard.ts'

type Row = readonly unknown[]

export type DashboardStatements = Readonly<
  Record<
    | 'countInFlight'
    | 'countBegun'
    | 'countWaiting'
    | 'countUnknown'
    | 'countSent'
    | 'readLateness'
    | 'countByTimezone'
    | 'countDue'
    | 'countDeliveries'
    | 'countUpcoming'
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
      const [[inFlight], recent] = await Promise.all([
        read(statements.countInFlight, [now]),
        latestEvents(source, { before: overviewSpan(now).wave.before, limit: RECENT }),
      ])
      return { inFlight: inFlight?.[0] as number, recent }
    },

    async overview(now) {
      const { dayAgo, wave, waitsUntil } = overviewSpan(now)
      const [begun, [waiting], pending, [unknown], [sent], lateness, [unresolved]] = await Promise.all([
        read(statements.countBegun, [firstIdAt(wave.from), firstIdAt(wave.before), wave.from, wave.before]),
        read(statements.countWaiting, [waitsUntil]),
        read(statements.countUpcoming, [wave.from, wave.before]),
        read(statements.countUnknown, [firstTriedId(dayAgo), dayAgo]),
        read(statements.countSent, [dayAgo]),
        read(statements.readLateness, [dayAgo]),
        read(statements.countUnresolved, [firstFailureId(dayAgo), dayAgo]),
      ])
      return readOverview({ begun, pending, waiting, unknown, sent, lateness, unresolved })
    },

    async countFailures({ from, now }): Promise<FailureCount[]> {
      return (await read(statements.countFailures, [now, firstFailureId(from), from])).flatMap(failureCount)
    },

    async countByTimezone() {
      const rows = await read(statements.countByTimezone, [])
      return rows.map(([timezone, people]) => ({ timezone: timezone as string, people: people as number }))
    },

    async countWaiting({ channelId, isDefault, now }) {
      const own = laneOf({ channelId, type: '' })
      return (await read(statements.countDue, [own, isDefault ? 1 : 0, now]))[0]?.[0] as number
    },

    async countDeliveries(channelId, now) {
      const rows = await read(statements.countDeliveries, [overviewSpan(now).dayAgo, channelId])
      return rows.map(([status, tookMs, count]) => ({
        isDelivered: status === 'COMPLETED',
        tookMs: tookMs as number,
        count: count as number,
      }))
    },

    async countUpcoming({ from, before }): Promise<UpcomingPoint[]> {
      return (await read(statements.countUpcoming, [from, before])).map(upcomingPoint)
    },
  }
}
