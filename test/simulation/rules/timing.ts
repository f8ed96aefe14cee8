// That every message is on time, whatever happens to others.
import { MINUTE, SECOND } from '../../support/fixtures.ts'
import {
  type Change,
  type ChannelRow,
  changesOf,
  type EventRow,
  type Ledger,
  type OccasionRow,
} from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import { leaseOf } from '../support/settings.ts'
import { firstWrong, type Rule } from './rule.ts'

/** Slow calls, a full house, and messages to others that time out. */
const LATE_MS = 1.5 * MINUTE
/** After trouble: a lease runs out, a destination that was left alone is tried again, what was parked is looked at again. */
const AFTERMATH_MS = 5.5 * MINUTE
/** The same where a scheduler is called once a minute, and a batch takes its time to be given back. */
const QUEUE_LATE_MS = 2 * MINUTE
/** Longer than any sender waits: who is kept so long has fewer hands free for the others. */
const HOLDS_UP_MS = 30 * SECOND

const onTime: Rule = {
  name: 'each on time',
  words:
    'A message arrives within minutes of the time it fell due. Only trouble of the workers or of its own channel may keep it, none of another.',
  watch(scenario) {
    const unheardMs = scenario.queue !== undefined ? QUEUE_LATE_MS : scenario.newsGetsLost ? MINUTE : 0
    const allowedMs = LATE_MS + mostBehind(scenario) + unheardMs
    const troubles = watchTroubles(scenario)
    const plannedAt = new Map<string, number>()

    function late({ at }: Entry, event: EventRow, channel: string): string | null {
      const dueAt = Math.max(event.target_at, plannedAt.get(event.id) ?? 0)
      const lateMs = at - Math.max(dueAt, troubles.lastedUntil(at, event, channel))
      return lateMs > allowedMs ? `${event.id} is kept for ${(lateMs / MINUTE).toFixed(1)} minutes.` : null
    }

    function lateOf(entry: Entry, ledger: Ledger, events: Iterable<EventRow>): string | null {
      return firstWrong(events, (event) =>
        late(entry, event, ledger.occasionOf(event.occasion_id)?.channel_id ?? defaultOf(ledger)),
      )
    }

    return (entry, ledger) => {
      // What nobody touches is looked for now and then.
      const forgotten = entry.kind === 'life' ? lateOf(entry, ledger, openEvents(ledger)) : null
      if (forgotten !== null) return forgotten
      troubles.take(entry)
      if (entry.kind === 'arrival') {
        const event = ledger.eventOf(entry.eventId)
        return event === undefined ? null : late(entry, event, entry.channel)
      }
      if (entry.kind !== 'commit') return null
      const changes = changesOf<EventRow>(entry.rows, 'events')
      for (const { before, after } of changes)
        if (after !== null && after.target_at !== before?.target_at) plannedAt.set(after.id, entry.at)
      // Also those that are only held on to.
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

/** What can become of a message so that nobody gets it soon. One that is refused can be handed over again. */
const KEPT_BACK: readonly string[] = ['lost', 'late']

type Troubles = {
  /** Until when, by now, anything may have kept an event on its way to a channel. */
  lastedUntil(now: number, event: EventRow, channel: string): number
  take(entry: Entry): void
}

function watchTroubles(scenario: Scenario): Troubles {
  const { faults, queue } = scenario
  /** Whatever befalls a worker there, its message comes again, and if it does not, the lease runs out. */
  const healedMs = AFTERMATH_MS + (queue === undefined ? 0 : leaseOf(scenario) + QUEUE_LATE_MS)
  const clocksSet = faults.flatMap((fault) => (fault.kind === 'clock' ? [fault.at] : []))
  const noRuns = faults.flatMap((fault) => (fault.kind === 'no runs' ? [fault] : []))
  const down = new Set<string>()
  const stopped = new Set<string>()
  const byEvent = new Map<string, number>()
  const byChannel = new Map<string, number>()
  const byOccasion = new Map<string, number>()
  const askedMs = new Map<string, number>()
  let workers = 0

  const extend = (map: Map<string, number>, key: string, until: number) =>
    map.set(key, Math.max(map.get(key) ?? 0, until + AFTERMATH_MS))
  const extendWorkers = (until: number) => {
    workers = Math.max(workers, until + healedMs)
  }

  function takeLife({ at, who, what, forMs }: Entry & { kind: 'life' }): void {
    const [name] = who.split('.')
    if (what === 'starts') {
      // Without an end before it, it is only one more.
      if (!down.delete(name!)) return
    } else if (what !== 'pauses' && name !== 'api') down.add(name!)
    extendWorkers(at + (forMs ?? 0))
  }

  function takeChannel(at: number, { after }: Change<ChannelRow>): void {
    if (after === null) return
    if (after.status === 'ACTIVE') stopped.delete(after.id)
    else stopped.add(after.id)
    extend(byChannel, after.id, at)
  }

  function takeMeeting(met: Entry & { kind: 'arrival' | 'lost' }): void {
    if (met.well) return
    const until = met.at + met.takesMs
    extend(byEvent, met.eventId, until)
    extend(byChannel, met.channel, until)
    askedMs.set(met.eventId, met.retryAfterMs)
    if (met.takesMs > HOLDS_UP_MS) extendWorkers(until)
  }

  /** The time that a far side asked for begins when the sender hears of it. */
  function takeNo({ at, eventId, channel }: Entry & { kind: 'answer' }): void {
    const until = at + (askedMs.get(eventId) ?? 0)
    extend(byEvent, eventId, until)
    extend(byChannel, channel, until)
  }

  return {
    lastedUntil(now, { id, occasion_id }, channel) {
      if (down.size > 0 || stopped.has(channel)) return now
      if (noRuns.some(({ at, forMs }) => now >= at && now < at + forMs + AFTERMATH_MS)) return now
      const set = clocksSet.reduce((last, at) => (at <= now ? Math.max(last, at + AFTERMATH_MS) : last), 0)
      const own = Math.max(...[byEvent.get(id), byOccasion.get(occasion_id)].map((until) => until ?? 0))
      return Math.max(workers, set, own, byChannel.get(channel) ?? 0)
    },
    take(entry) {
      if (entry.kind === 'life') takeLife(entry)
      if (entry.kind === 'posted' && KEPT_BACK.includes(entry.fate))
        extend(byEvent, entry.ref.eventId, entry.at + healedMs)
      if (entry.kind === 'posted' && entry.fate === 'refused') extend(byEvent, entry.ref.eventId, entry.at)
      if (entry.kind === 'failure') extendWorkers(entry.at)
      if (entry.kind === 'commit') {
        for (const change of changesOf<ChannelRow>(entry.rows, 'channels')) takeChannel(entry.at, change)
        for (const { after } of changesOf<OccasionRow>(entry.rows, 'occasions'))
          if (after !== null) extend(byOccasion, after.id, entry.at)
      }
      if (entry.kind === 'arrival' || entry.kind === 'lost') takeMeeting(entry)
      if (entry.kind === 'answer' && entry.error !== null) takeNo(entry)
    },
  }
}

export const TIMING_RULES: readonly Rule[] = [onTime]
