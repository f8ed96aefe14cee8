// Invariants of destinations that are down: they use no retries, and their events are sent when they respond again.
import { HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { DAY, MINUTE, SECOND } from '../../support/fixtures.ts'
import { channelNumber } from '../actors/channels.ts'
import { changesOf, type EventRow, type HoldRow, isHoldChanged } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

/** No response, or the response of a proxy or a mail server that is out of service. */
const UNRESPONSIVE: readonly (number | null)[] = [null, 502, 503, 504, 421]
const GIVEN_UP_MS = 7 * DAY

const downUsesNoRetry: Rule = {
  name: 'down uses no retry',
  description:
    'An attempt without a response uses no retry, unless the receiver responded to others since the event failed before, or after a week.',
  watch() {
    /** How often a process got a response from a channel. */
    const responses = new Map<string, number>()
    /** `responses` when an event last got none. */
    const failedAt = new Map<string, number>()
    const free = new Set<string>()
    return (entry) => {
      // A handler that fails shows nothing about the others.
      if (entry.kind === 'result' && entry.channel !== HANDLER_CHANNEL) {
        const line = `${entry.who} ${entry.channel}`
        const one = `${line} ${entry.eventId}`
        const count = responses.get(line) ?? 0
        free.delete(`${entry.who} ${entry.eventId}`)
        if (!UNRESPONSIVE.includes(entry.statusCode)) responses.set(line, count + 1)
        else {
          if ((failedAt.get(one) ?? count) === count) free.add(`${entry.who} ${entry.eventId}`)
          failedAt.set(one, count)
        }
      }
      if (entry.kind !== 'commit' || entry.op !== 'settle') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (before === null || after === null || !free.delete(`${entry.who} ${after.id}`)) return null
        if (entry.at - before.target_at > GIVEN_UP_MS || before.replay_of !== null) return null
        const isUsed = after.retry_count > before.retry_count || after.failure_code === 'RETRIES_EXHAUSTED'
        return isUsed ? `${after.id} lost a retry because its receiver did not respond.` : null
      })
    }
  },
}

/** Calls may take seconds, and each process reads the channels every two seconds. */
const MOVES_WITHIN_MS = 25 * SECOND
/** A process that crashed, stalled or could not reach the database delays them by minutes. */
const UNDISTURBED_MS = 5.5 * MINUTE

const backlogMoves: Rule = {
  name: 'backlog moves',
  description:
    'When a receiver is up again and the wait of its Retry-After is over, events that were sent to it in vain are claimed within seconds.',
  watch({ queue, channels, faults }) {
    const isUnlimited = channels.every(
      (channel) => channel.perSecond === null && channel.concurrency === null,
    )
    if (queue !== undefined || !isUnlimited) return () => null
    const outages = faults.flatMap((fault) => (fault.kind === 'down' ? [fault] : []))
    /** Until when the failed exchanges of each channel lasted, with the wait that its receiver asked for. */
    const failedUntil = new Map<string, number>()
    const holds = createHolds()
    /** Events that were sent; others have a channel too, if they had no text or no address. */
    const sent = new Set<string>()
    let disturbedAt = Number.NEGATIVE_INFINITY

    /** Null while it is down. */
    function upSince(channel: string, now: number): number | null {
      const own = outages.filter((outage) => outage.channel === channelNumber(channel) && outage.at <= now)
      const until = Math.max(
        ...own.map(({ at, forMs }) => at + forMs),
        failedUntil.get(channel) ?? 0,
        holds.untilOf(channel),
      )
      return until < now ? until : null
    }

    return (entry, ledger) => {
      holds.apply(entry)
      // A process that is paused does nothing until the end of the pause.
      if (isDisturbance(entry))
        disturbedAt = Math.max(disturbedAt, entry.at + (('forMs' in entry && entry.forMs) || 0))
      if (entry.kind === 'lost' || entry.kind === 'arrival') sent.add(entry.eventId)
      if (entry.kind === 'lost' || (entry.kind === 'arrival' && !entry.well))
        failedUntil.set(
          entry.channel,
          Math.max(failedUntil.get(entry.channel) ?? 0, entry.at + entry.takesMs + entry.retryAfterMs),
        )
      if (entry.kind !== 'commit' || entry.op !== 'claimDue') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (!before?.channel_id || !sent.has(before.id) || before.lease_until !== null || after === null)
          return null
        if (ledger.channels.get(before.channel_id)?.status !== 'ACTIVE') return null
        const up = upSince(before.channel_id, entry.at)
        if (up === null || entry.at - disturbedAt < UNDISTURBED_MS) return null
        const waitedMs = entry.at - Math.max(up, before.updated_at, before.wake_at ?? 0)
        return waitedMs > MOVES_WITHIN_MS
          ? `${before.id} was claimed ${waitedMs / SECOND} s after its receiver was up.`
          : null
      })
    }
  },
}

function isDisturbance(entry: Entry): boolean {
  if (entry.kind === 'lifecycle' || entry.kind === 'failure') return true
  return entry.kind === 'commit' && entry.rows.some(({ table }) => table === 'channels')
}

/** A hold ends by the clock of each worker, which may be so far behind. */
const MOST_BEHIND_MS = 90 * SECOND

/** Until when operators hold each channel. */
function createHolds() {
  const untilOf = new Map<string, number>()
  return {
    untilOf: (channel: string) => untilOf.get(channel) ?? 0,
    apply(entry: Entry): void {
      if (entry.kind !== 'commit') return
      for (const { before, after } of changesOf<HoldRow>(entry.rows, 'destinations')) {
        if (after === null || !isHoldChanged({ before, after })) continue
        const endsAt = (after.held_until ?? Number.POSITIVE_INFINITY) + MOST_BEHIND_MS
        untilOf.set(after.channel_id, after.held_at === null ? entry.at : endsAt)
      }
    },
  }
}

export const RECOVERY_RULES: readonly Rule[] = [downUsesNoRetry, backlogMoves]
