// Reads the views of the dashboard, and loads or removes the demo people.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { eventJson } from '../../api/events/json.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { channelIdsOf, createFailuresReader } from '../../app/dashboard/failures.ts'
import { createTodayReader, type Today } from '../../app/dashboard/today.ts'
import { createUpcomingReader } from '../../app/dashboard/upcoming.ts'
import { channelNames } from '../../app/events/channel-names.ts'
import { loadDemo, wipeDemo } from '../../app/users/demo.ts'
import { BUILT_IN } from '../../domain/settings/channel.ts'
import { statusesOf } from '../../domain/settings/channel-status.ts'
import { formatInstant, instantOrNull } from '../../domain/time/timestamp.ts'
import type { DashboardStore, KernelStore, Pulse, SettingsStore, WorkerStore } from '../../ports/store.ts'
import { noteForAudit } from '../server/audit.ts'
import { mount } from '../server/operation.ts'
import { DISMISS_FAILURES, READ_FAILURES } from './failure-operations.ts'
import type { TodayJson } from './json.ts'
import { LOAD_DEMO, READ_TODAY, READ_UPCOMING, WIPE_DEMO } from './operations.ts'

type DashboardDeps = AppDeps<KernelStore & DashboardStore & SettingsStore & WorkerStore>

export function mountDashboard(api: OpenAPIHono, app: DashboardDeps): void {
  const { store, clock, planner, onDemand = false, hasHandlers } = app
  const createReaders = () => ({
    today: createTodayReader({ store, clock, table: planner.table, onDemand, hasHandlers }),
    failures: createFailuresReader(app),
  })
  let readers = createReaders()
  const upcoming = createUpcomingReader(app)

  mount(api, READ_TODAY, async ({ c }) => c.json(todayJson(await readers.today())))

  mount(api, READ_FAILURES, async ({ c, query: { channel, exactReason } }) => {
    const [{ at, value: groups }, channels, destinations] = await Promise.all([
      readers.failures(),
      store.listChannels(),
      store.listDestinations(),
    ])
    const nameOf = channelNames(channels)
    const statuses = statusesOf({ channels, destinations }, clock.now())
    const wanted = channel === undefined ? null : await channelIdsOf(store, channel)
    const shown = groups.filter(
      ({ channelId, reason }) =>
        (wanted === null || wanted.includes(channelId)) &&
        (exactReason === undefined || reason === exactReason),
    )
    return c.json({
      countedAt: formatInstant(at),
      groups: shown.map(({ oldestAt, newestAt, ...group }) => {
        const span = { oldestAt: formatInstant(oldestAt), newestAt: formatInstant(newestAt) }
        return { ...group, ...span, channel: nameOf(group.channelId) ?? 'unknown' }
      }),
      channels: statuses
        .filter(({ id }) => !BUILT_IN.has(id))
        .map(({ id, name, status, statusReason }) => ({ id, name, status, statusReason })),
    })
  })

  mount(api, DISMISS_FAILURES, async ({ c, body: { channel, exactReason: reason, failedBefore } }) => {
    const channelId = channel === 'unknown' ? null : channel.toLowerCase()
    // A later instant would also hide failures to come.
    const until = failedBefore === null ? null : Math.min(failedBefore, clock.now() + 1)
    const previous = await store.dismissFailures({ channelId, reason, failedBefore: until })
    noteForAudit(c, {
      object: channelId === null ? null : { kind: 'channel', id: channelId },
      details: { failedBefore: until === null ? 'none' : formatInstant(until) },
    })
    // The cached counts are from before it.
    readers = createReaders()
    return c.json({ previous: previous === null ? null : formatInstant(previous) })
  })

  mount(api, READ_UPCOMING, async ({ c, query }) => {
    const { at, value } = await upcoming(query.days)
    const { days, busiest } = value
    return c.json({
      countedAt: formatInstant(at),
      days,
      busiest: busiest && { utc: formatInstant(busiest.targetAt), count: busiest.count },
    })
  })

  mount(api, LOAD_DEMO, async ({ c }) => c.json({ loaded: await loadDemo(app) }))
  mount(api, WIPE_DEMO, async ({ c }) => c.json({ wiped: await wipeDemo(app) }))
}

function todayJson({
  now,
  countedAt,
  tzVersion,
  people,
  pulse,
  overview,
  ...day
}: Today): z.infer<typeof TodayJson> {
  const { inFlight } = pulse
  const { waiting, sent, failed, ambiguous } = overview
  return {
    now: formatInstant(now),
    countedAt: formatInstant(countedAt),
    tzVersion,
    counts: { people, inFlight, waiting, sent24h: sent, failed24h: failed, ambiguous24h: ambiguous },
    lateness: day.lateness,
    instances: day.workers?.map(({ id, seenAt }) => ({ id, seenAt: formatInstant(seenAt) })) ?? null,
    wave: day.wave.map(({ dueAt, ...crest }) => ({ dueAt: formatInstant(dueAt), ...crest })),
    next: day.next && { dueAt: formatInstant(day.next.dueAt), count: day.next.count },
    zones: day.zones,
    stoppedChannels: day.stopped.map(({ since, nextProbeAt, heldUntil, ...channel }) => ({
      ...channel,
      heldUntil: instantOrNull(heldUntil),
      since: instantOrNull(since),
      nextProbeAt: instantOrNull(nextProbeAt),
    })),
    recent: pulse.recent.map(briefJson),
  }
}

function briefJson(event: Pulse['recent'][number]) {
  const {
    id,
    userId,
    eventType,
    occurrence,
    status,
    executedAt,
    failureReason,
    failureCode,
    retryCount,
    channelId,
    ...rest
  } =
    // The overview does not show bodies, so they are not parsed.
    eventJson({ ...event, deliveryPayload: null })
  const { targetTimestampUTC, targetTimestampLocal, targetTimezone } = rest
  const due = { targetTimestampUTC, targetTimestampLocal, targetTimezone }
  const { firstName, lastName } = event
  return {
    id,
    userId,
    firstName,
    lastName,
    eventType,
    occurrence,
    status,
    ...due,
    executedAt,
    failureReason,
    failureCode,
    retryCount,
    channelId,
  }
}
