// Checks what the API reports: timezones, due events, failures, channels, and how long attempts take.
import { type Client, type components, TerceError } from '../../client/client.ts'
import { BUILT_IN, releaseRemedy } from '../../domain/settings/channel.ts'
import type { Database } from '../../runtimes/node/database.ts'
import { countEvents, countPeople, grouped, shortDuration } from '../output/words.ts'
import { type Check, fail, ok, warn } from './check.ts'

type Schemas = components['schemas']

type Local = { leaseMs: number; database: Pick<Database, 'store' | 'clock'> }

/** `local` is null for a server, whose lease and database are unknown. */
export async function checkService(client: Client, local: Local | null): Promise<Check[]> {
  const [today, timezones] = [await client.get('/today'), await client.get('/tz')]
  return [
    checkTimezones(timezones),
    ...checkPlaces(timezones),
    local === null ? checkDue(today) : await checkOverdue(today, local.database),
    checkDeliveries(today),
    ...(local === null ? [] : [checkLease(await attemptsOf(client, today), local.leaseMs)]),
    ...(await checkChannels(client, today)),
  ]
}

export function checkTimezones({ version, recorded, state, differs }: Schemas['Timezones']): Check {
  const rules = `IANA ${version}`
  switch (state) {
    case 'CURRENT':
      return ok('timezones', `${rules}; all events were planned with these rules.`)
    case 'UNRECORDED':
      return ok('timezones', `${rules}; nothing planned yet.`)
    case 'TABLE_OLDER':
      return fail('timezones', `${rules}, but events were planned with ${recorded[0]}.`, 'Upgrade Terce.')
    case 'REPLAN_DUE': {
      const people = differs.reduce((sum, one) => sum + one.people, 0)
      const places = differs.map((one) => `${one.zone} (${grouped(one.people)})`)
      const shown = `${places.slice(0, 5).join(', ')}${places.length > 5 ? ', …' : ''}`
      const text = `${rules}, but events of ${countPeople(people)} were planned with older rules: ${shown}.`
      return warn('timezones', text, 'Run terce tz replan, or restart Terce.')
    }
  }
}

/** A warning for each timezone of people that is no place. */
function checkPlaces({ notPlaces }: Pick<Schemas['Timezones'], 'notPlaces'>): Check[] {
  return notPlaces.map(({ zone, people, suggestions }) => {
    const text = `${countPeople(people)} with timezone ${zone}, which does not follow the clocks of a place.`
    const remedy = `List them with GET /user?timezone=${encodeURIComponent(zone)}, and change each to the place where they live: ${suggestions.join(', ')}, …`
    return warn('timezones', text, remedy)
  })
}

const LATE_MS = 60_000
const LOST_MS = 10 * 60_000

/** Due events that no worker claimed. The wave has those of the last twelve hours only. */
export function checkDue({ now, wave, counts }: Pick<Schemas['Today'], 'now' | 'wave' | 'counts'>): Check {
  const unclaimed = wave.filter(
    ({ dueAt, remaining }) => remaining > 0 && Date.parse(now) - Date.parse(dueAt) > LATE_MS,
  )
  const count = unclaimed.reduce((sum, { remaining }) => sum + remaining, 0)
  if (count === 0) return nothingOverdue(counts)
  const lateMs = Date.parse(now) - Math.min(...unclaimed.map(({ dueAt }) => Date.parse(dueAt)))
  return overdue({ count, lateMs, isLost: lateMs > LOST_MS })
}

/** Due events that no worker claimed, however long ago. */
async function checkOverdue(
  { counts }: Pick<Schemas['Today'], 'counts'>,
  { store, clock }: Local['database'],
): Promise<Check> {
  const now = clock.now()
  const { count, oldestAt } = await store.countOverdue(now - LATE_MS)
  if (count === 0 || oldestAt === null) return nothingOverdue(counts)
  // A retry or a replay may have waited for less time than has passed since it was due.
  const { count: lost } = await store.countOverdue(now - LOST_MS)
  return overdue({ count, lateMs: now - oldestAt, isLost: lost > 0 })
}

function nothingOverdue({ inFlight }: Schemas['Today']['counts']): Check {
  return ok('work', `Nothing overdue, ${grouped(inFlight)} in flight.`)
}

function overdue({ count, lateMs, isLost }: { count: number; lateMs: number; isLost: boolean }): Check {
  const text = `${countEvents(count)} overdue and not claimed, the oldest by ${shortDuration(lateMs)}.`
  return (isLost ? fail : warn)('work', text, 'Start terce or terce worker, and check its log.')
}

function checkDeliveries({ counts, lateness }: Schemas['Today']): Check {
  const { sent24h, failed24h, waiting, ambiguous24h } = counts
  const delay = lateness === null ? '' : ` (p95 delay ${shortDuration(lateness.p95Ms)})`
  const duplicates = ambiguous24h === 0 ? '' : `, ${grouped(ambiguous24h)} possible duplicates`
  const text = `Last 24 hours: ${grouped(sent24h)} sent${delay}${duplicates}, ${grouped(failed24h)} failed, ${grouped(waiting)} waiting.`
  if (failed24h === 0) return ok('deliveries', text)
  return warn(
    'deliveries',
    text,
    'GET /failures and the dashboard say why. Run terce replay to send them again.',
  )
}

/** The durations of the latest attempts, in milliseconds. */
async function attemptsOf(client: Client, { recent }: Schemas['Today']): Promise<number[]> {
  const stories = await Promise.all(
    recent.map(({ id }) => client.get('/event/{id}', { path: { id } }).catch(() => null)),
  )
  return stories
    .flatMap((story) => story?.attempts ?? [])
    .filter(({ outcome }) => outcome !== 'UNKNOWN')
    .map(({ startedAt, finishedAt }) => Date.parse(finishedAt) - Date.parse(startedAt))
}

export function checkLease(durationsMs: readonly number[], leaseMs: number): Check {
  const lease = `LEASE_MS=${leaseMs}`
  if (durationsMs.length === 0) return ok('lease', `${lease}; no recent attempts to compare with.`)
  const sorted = durationsMs.toSorted((a, b) => a - b)
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))]!
  const text = `${lease}; p95 attempt duration ${shortDuration(p95)}.`
  if (p95 <= leaseMs / 2) return ok('lease', text)
  // A live worker extends its leases. Only a worker that stalls for that long loses them, and its message is sent twice.
  return warn('lease', text, `Raise LEASE_MS to ${Math.ceil((p95 * 4) / 1000) * 1000} or more.`)
}

async function checkChannels(client: Client, { now, stoppedChannels }: Schemas['Today']): Promise<Check[]> {
  const down = stoppedChannels
    .filter(({ status }) => status === 'DOWN')
    .map((one) => fail('channels', `${downText(one, now)}.`, 'Fix the receiver. Nothing else is needed.'))
  let items: Schemas['Channel'][]
  try {
    ;({ items } = await client.get('/channel'))
  } catch (error) {
    if (!(error instanceof TerceError && error.code === 'FORBIDDEN')) throw error
    return [...down, warn('channels', 'Not checked.', 'Use a key with scope admin.')]
  }
  // A built-in channel that is held is among the stopped ones alone.
  const builtIn = stoppedChannels.filter(({ id, status }) => status === 'HELD' && BUILT_IN.has(id))
  const inactive = [...items.filter(({ status }) => status !== 'ACTIVE'), ...builtIn]
  if (down.length + inactive.length === 0) {
    const text = items.length === 0 ? 'None configured.' : `${grouped(items.length)} configured, all active.`
    return [ok('channels', text)]
  }
  const stopped = inactive.map((channel) => {
    const { name, status, statusReason, heldUntil } = channel
    const why = statusReason === null ? '' : `: ${statusReason}`
    const text = `"${name}" is ${status}${why}${heldUntil === null ? '' : `, until ${heldUntil}`}.`
    return warn('channels', text, releaseRemedy(channel))
  })
  return [...down, ...stopped]
}

type Stopped = Schemas['Today']['stoppedChannels'][number]

function downText({ name, since, statusReason, waiting, nextProbeAt }: Stopped, now: string): string {
  const lasts = shortDuration(Math.max(0, Date.parse(now) - Date.parse(since!)))
  const wait = waiting === 1 ? '1 message waits' : `${grouped(waiting)} messages wait`
  return `"${name}" is down since ${since} (${lasts}): ${statusReason}; ${wait}, next probe at ${nextProbeAt}`
}
