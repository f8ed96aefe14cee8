// Where messages go, and what holds for a channel that stops or has limits.
import { SECOND } from '../../support/fixtures.ts'
import { channelNumber } from '../actors/channels.ts'
import { originalOf } from '../oracle/expected-schedule.ts'
import { NOT_LET_IN } from '../record/channel-views.ts'
import { changesOf, type EventRow, type Ledger } from '../record/ledger.ts'
import { firstWrong, type Rule } from './rule.ts'

/** The channel to which a worker sends an event, as far as it knows. */
export function channelOf(ledger: Ledger, who: string, eventId: string): string | null {
  return ledger.occasionTaken(who, eventId)?.channel_id ?? ledger.knowledge.defaultOf(who)
}

const whereItBelongs: Rule = {
  name: 'where it belongs',
  words: 'A message goes to the channel that its occasion names, or to the default.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const expected = channelOf(ledger, entry.who, entry.eventId)
    return entry.channel === expected
      ? null
      : `${entry.eventId} went to channel ${channelNumber(entry.channel) + 1}, not ${channelNumber(expected!) + 1}.`
  },
}

const stoppedIsStopped: Rule = {
  name: 'stopped is stopped',
  words: 'A worker that knows that a channel is paused or switched off sends nothing there.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const status = ledger.knowledge.statusOf(entry.who, entry.channel)
    return status === 'ACTIVE'
      ? null
      : `${entry.who} sends ${entry.eventId} to channel ${channelNumber(entry.channel) + 1}, which it knows to be ${status}.`
  },
}

const notTheirFault: Rule = {
  name: 'not their fault',
  words: 'A receiver that does not let us in ends no event and uses up none of its tries.',
  watch() {
    const notLetIn = new Set<string>()
    return (entry, ledger) => {
      if (entry.kind === 'send') notLetIn.delete(`${entry.who} ${entry.eventId}`)
      if (entry.kind === 'claimed')
        for (const { eventId } of entry.refs) notLetIn.delete(`${entry.who} ${eventId}`)
      if (entry.kind === 'answer' && NOT_LET_IN.includes(entry.statusCode)) {
        // Where the channel is off, its events end, each in its own way.
        const isOff = ledger.knowledge.statusOf(entry.who, entry.channel) === 'DISABLED'
        if (!isOff) notLetIn.add(`${entry.who} ${entry.eventId}`)
      }
      if (entry.kind !== 'commit' || entry.op !== 'settle') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (before === null || after === null) return null
        if (!notLetIn.delete(`${entry.who} ${after.id}`)) return null
        if (after.status === 'FAILED') return `${after.id} is FAILED because we were not let in.`
        return after.retry_count === before.retry_count
          ? null
          : `${after.id} lost a try because we were not let in.`
      })
    }
  },
}

/** What a consumer keeps of its time to write how its batch ended. */
export const RESERVED_MS = 5 * SECOND

const offEnds: Rule = {
  name: 'off is the end',
  words: 'What a worker takes for a channel that it knows to be off ends at once, and does not wait.',
  watch({ queue }) {
    const toEnd = new Set<string>()
    /** From when on a consumer, or a worker that is told to stop, gives back what it has not begun. */
    const hurriesAt = new Map<string, number>()
    // Where a queue is between, it is not who takes an event that sends it, but who reads the claim again.
    const isTaken = queue === undefined ? 'claimed' : 'reread'
    return (entry, ledger) => {
      if (entry.kind === 'life' && entry.what === 'is told to stop') hurriesAt.set(entry.who, entry.at)
      if (entry.kind === 'handed') hurriesAt.set(entry.who, entry.at + queue!.consumeMs - RESERVED_MS)
      if ((entry.kind === 'claimed' || entry.kind === 'reread') && entry.kind === isTaken)
        for (const { eventId, version } of entry.refs) {
          const channel = channelOf(ledger, entry.who, eventId)
          if (ledger.knowledge.statusOf(entry.who, channel ?? '') === 'DISABLED')
            toEnd.add(`${entry.who} ${eventId} ${version}`)
        }
      if (entry.kind === 'commit' && entry.at >= (hurriesAt.get(entry.who) ?? Number.POSITIVE_INFINITY))
        return null
      if (entry.kind !== 'commit' || entry.op !== 'settle') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (before === null || after === null || after.status === 'FAILED') return null
        const waits = toEnd.has(`${entry.who} ${after.id} ${before.version}`)
        return waits ? `${after.id} is ${after.status} though its channel is off.` : null
      })
    }
  },
}

const comesBack: Rule = {
  name: 'comes back',
  words: 'What failed because its channel was off can be sent once it is on again.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'rest') return null
    const latest = new Map<string, EventRow>()
    for (const event of ledger.events.values()) {
      const which = `${event.occasion_id} ${originalOf(event.occurrence)}`
      const known = latest.get(which)
      if (known === undefined || replayOf(known) < replayOf(event)) latest.set(which, event)
    }
    return firstWrong(latest.values(), ({ id, failure_code }) =>
      failure_code === 'CHANNEL_DISABLED'
        ? `${id} failed because its channel was off, and nothing came after it.`
        : null,
    )
  },
}

/** 1 of `2026~1`, 0 of `2026`. */
function replayOf({ occurrence }: EventRow): number {
  return Number(occurrence.split('~')[1] ?? 0)
}

const withinLimits: Rule = {
  name: 'within its limits',
  words:
    'A process has no more under way to a channel, and begins no more in a second, than the channel can bear.',
  watch({ channels }) {
    const underWay = new Map<string, number>()
    const begun = new Map<string, number[]>()
    return (entry) => {
      if (entry.kind !== 'send' && entry.kind !== 'answer') return null
      const line = `${entry.who} ${entry.channel}`
      const now = (underWay.get(line) ?? 0) + (entry.kind === 'send' ? 1 : -1)
      underWay.set(line, now)
      if (entry.kind === 'answer') return null
      const { concurrency, perSecond } = channels[channelNumber(entry.channel)]!
      if (concurrency !== null && now > concurrency)
        return `${entry.who} has ${now} under way to a channel that bears ${concurrency}.`
      const times = begun.get(line) ?? []
      begun.set(line, times)
      times.push(entry.clock)
      const lately = times.filter((at) => Math.abs(entry.clock - at) < SECOND).length
      return perSecond !== null && lately > perSecond
        ? `${entry.who} begins ${lately} within a second to a channel that bears ${perSecond}.`
        : null
    }
  },
}

export const CHANNEL_RULES: readonly Rule[] = [
  whereItBelongs,
  stoppedIsStopped,
  notTheirFault,
  offEnds,
  comesBack,
  withinLimits,
]
