// The invariant that a message is on time although other channels fail.
import { HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { MINUTE, SECOND } from '../../support/fixtures.ts'
import {
  type Change,
  type ChannelRow,
  changesOf,
  type EventRow,
  type HoldRow,
  isHoldChanged,
  type Ledger,
  type OccasionRow,
} from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import { leaseOf } from '../support/settings.ts'
import { firstWrong, type Rule } from './rule.ts'

/** Slow calls, busy workers, and messages of other channels that time out. */
const LATE_MS = 1.5 * MINUTE
/** After a failure: a lease expires, a circuit breaker half-opens, an event is claimed again. */
const RECOVERY_MS = 5.5 * MINUTE
/** With a scheduler that is called once a minute, and a batch that takes its time to be released. */
const QUEUE_LATE_MS = 2 * MINUTE
/** Longer than any sender waits: such an exchange keeps one of the worker's few slots from other messages. */
const BLOCKS_SLOT_MS = 30 * SECOND

const onTime: Rule = {
  name: 'on time',
  description:
    'A message arrives within minutes of its due time. Only failures of the workers or of its own channel may delay it.',
  watch(scenario) {
    const unheardMs = scenario.queue !== undefined ? QUEUE_LATE_MS : scenario.wakeUpsGetLost ? MINUTE : 0
    const allowedMs = LATE_MS + mostBehind(scenario) + unheardMs
    const delays = trackDelays(scenario)
    const plannedAt = new Map<string, number>()

    function late({ at }: Entry, event: EventRow, channel: string): string | null {
      const dueAt = Math.max(event.target_at, plannedAt.get(event.id) ?? 0)
      const lateMs = at - Math.max(dueAt, delays.lastedUntil(at, event, channel))
      return lateMs > allowedMs ? `${event.id} is ${(lateMs / MINUTE).toFixed(1)} minutes late.` : null
    }

    function lateOf(entry: Entry, ledger: Ledger, events: Iterable<EventRow>): string | null {
      return firstWrong(events, (event) =>
        late(
          entry,
          event,
          ledger.occasionOf(event.occasion_id)?.channel_id ??
            (scenario.handlers ? HANDLER_CHANNEL : defaultOf(ledger)),
        ),
      )
    }

    return (entry, ledger) => {
      // Events that no process touches are checked at each lifecycle entry.
      const overdue = entry.kind === 'lifecycle' ? lateOf(entry, ledger, openEvents(ledger)) : null
      if (overdue !== null) return overdue
      delays.apply(entry, ledger)
      if (entry.kind === 'arrival') {
        const event = ledger.eventOf(entry.eventId)
        return event === undefined ? null : late(entry, event, entry.channel)
      }
      if (entry.kind !== 'commit') return null
      const changes = changesOf<EventRow>(entry.rows, 'events')
      for (const { before, after } of changes)
        if (after !== null && after.target_at !== before?.target_at) plannedAt.set(after.id, entry.at)
      // Heartbeats count too: an event may be claimed and not sent.
      const held = changes.flatMap(({ before, after }) => (before && after?.lease_until ? [after] : []))
      return lateOf(entry, ledger, held)
    }
  },
}

function openEvents({ events }: Ledger): EventRow[] {
  return [...events.values()].filter(({ wake_at }) => wake_at !== null)
}

function defaultOf({ channels }: Ledger): string {
  let found: ChannelRow | null = null
  for (const channel of channels.values())
    if ((channel.default_since ?? -1) >= (found?.default_since ?? 0)) found = channel
  return found!.id
}

function mostBehind({ workers, queue, faults }: Scenario): number {
  const set = faults.flatMap((fault) => (fault.kind === 'clock' ? [fault] : []))
  return [...workers, ...set, queue ?? { skewMs: 0 }].reduce((most, { skewMs }) => Math.max(most, -skewMs), 0)
}

/** Effects that keep a message from its consumer. The scheduler can send a rejected message again. */
const DELAYING: readonly string[] = ['lost', 'delayed']

type Delays = {
  /** Until when any failure so far may have delayed an event of that channel. */
  lastedUntil(now: number, event: EventRow, channel: string): number
  apply(entry: Entry, ledger: Ledger): void
}

function trackDelays(scenario: Scenario): Delays {
  const { faults, queue } = scenario
  /** After a failure of a consumer the queue delivers its message again; if it does not, the lease expires. */
  const recoveryMs = RECOVERY_MS + (queue === undefined ? 0 : leaseOf(scenario) + QUEUE_LATE_MS)
  const clocksSet = faults.flatMap((fault) =>
    fault.kind === 'clock' || fault.kind === 'clock jump' ? [fault.at] : [],
  )
  // An outage at the first instant comes before the start of the workers, and no entry shows it.
  const gaps = faults.flatMap((fault) =>
    fault.kind === 'no runs' || fault.kind === 'outage'
      ? [{ from: fault.at, to: Math.min(fault.at + fault.forMs, scenario.faultsEndAt) + RECOVERY_MS }]
      : [],
  )
  const down = new Set<string>()
  const stopped = new Set<string>()
  const held = new Set<string>()
  const byEvent = new Map<string, number>()
  const byChannel = new Map<string, number>()
  const byOccasion = new Map<string, number>()
  const askedMs = new Map<string, number>()
  let workers = 0

  const extend = (map: Map<string, number>, key: string, until: number) =>
    map.set(key, Math.max(map.get(key) ?? 0, until + RECOVERY_MS))
  const extendWorkers = (until: number) => {
    workers = Math.max(workers, until + recoveryMs)
  }

  function applyLifecycle({ at, who, what, forMs }: Entry & { kind: 'lifecycle' }): void {
    const [name] = who.split('.')
    if (what === 'starts') {
      // A start without an earlier end is an additional process, not a recovery.
      if (!down.delete(name!)) return
    } else if (what !== 'pauses' && name !== 'api') down.add(name!)
    extendWorkers(at + (forMs ?? 0))
  }

  function applyChannel(at: number, { after }: Change<ChannelRow>): void {
    if (after === null) return
    if (after.status === 'ACTIVE') stopped.delete(after.id)
    else stopped.add(after.id)
    extend(byChannel, after.id, at)
  }

  function applyHold(at: number, { before, after }: Change<HoldRow>): void {
    if (after === null || !isHoldChanged({ before, after })) return
    const { channel_id: id, held_at, held_until } = after
    if (held_at !== null && held_until === null) held.add(id)
    else held.delete(id)
    extend(byChannel, id, Math.max(at, held_until ?? 0))
  }

  function applyExchange(met: Entry & { kind: 'arrival' | 'lost' }): void {
    if (met.well) return
    const until = met.at + met.takesMs
    extend(byEvent, met.eventId, until)
    extend(byChannel, met.channel, until)
    askedMs.set(met.eventId, met.retryAfterMs)
    if (met.takesMs > BLOCKS_SLOT_MS) extendWorkers(until)
  }

  /** The time that a receiver asked for begins when the sender gets its response. */
  function applyFailure({ at, eventId, channel }: Entry & { kind: 'result' }): void {
    const until = at + (askedMs.get(eventId) ?? 0)
    extend(byEvent, eventId, until)
    extend(byChannel, channel, until)
  }

  return {
    lastedUntil(now, { id, occasion_id }, channel) {
      if (down.size > 0 || stopped.has(channel) || held.has(channel)) return now
      if (gaps.some(({ from, to }) => now >= from && now < to)) return now
      const set = clocksSet.reduce((last, at) => (at <= now ? Math.max(last, at + RECOVERY_MS) : last), 0)
      const own = Math.max(...[byEvent.get(id), byOccasion.get(occasion_id)].map((until) => until ?? 0))
      return Math.max(workers, set, own, byChannel.get(channel) ?? 0)
    },
    apply(entry, ledger) {
      if (entry.kind === 'lifecycle') applyLifecycle(entry)
      if (entry.kind === 'queued' && DELAYING.includes(entry.effect))
        extend(byEvent, entry.ref.eventId, entry.at + recoveryMs)
      if (entry.kind === 'queued' && entry.effect === 'rejected') extend(byEvent, entry.ref.eventId, entry.at)
      if (entry.kind === 'failure') extendWorkers(entry.at)
      if (entry.kind === 'commit') {
        for (const change of changesOf<ChannelRow>(entry.rows, 'channels')) applyChannel(entry.at, change)
        for (const change of changesOf<HoldRow>(entry.rows, 'destinations')) applyHold(entry.at, change)
        for (const { after } of changesOf<OccasionRow>(entry.rows, 'occasions'))
          if (after !== null) extend(byOccasion, after.id, entry.at)
        // A reminder that is tried hourly. The rule "attempts are limited" says how long it may wait.
        for (const { after } of changesOf<EventRow>(entry.rows, 'events'))
          if (after?.wake_at && after.retry_count > 0 && ledger.tasks.has(after.occasion_id))
            extend(byEvent, after.id, after.wake_at)
      }
      if (entry.kind === 'arrival' || entry.kind === 'lost') applyExchange(entry)
      if (entry.kind === 'result' && entry.error !== null) applyFailure(entry)
    },
  }
}

export const TIMING_RULES: readonly Rule[] = [onTime]
