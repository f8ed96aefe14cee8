// Invariants of channels: the right one, stopped ones, limits.
import { HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import type { LimitLeases } from '../../../src/domain/settings/limit-leases.ts'
import { SECOND } from '../../support/fixtures.ts'
import { channelNumber } from '../actors/channels.ts'
import { UNAUTHORIZED } from '../record/channel-views.ts'
import { changesOf, type EventRow, isClaim, type Ledger } from '../record/ledger.ts'
import { firstWrong, type Rule } from './rule.ts'

/** The channel to which a worker sends an event, by its own view of the channels. */
export function channelOf(ledger: Ledger, who: string, eventId: string): string | null {
  return ledger.occasionAtClaim(who, eventId)?.channel_id ?? ledger.channelViews.defaultOf(who)
}

const rightChannel: Rule = {
  name: 'right channel',
  description: 'A message goes to the channel that its occasion names, or to the default channel.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const expected = channelOf(ledger, entry.who, entry.eventId)
    return entry.channel === expected
      ? null
      : `${entry.eventId} went to channel ${channelNumber(entry.channel) + 1}, not ${channelNumber(expected!) + 1}.`
  },
}

const noSendToAStoppedChannel: Rule = {
  name: 'no send to a stopped channel',
  description: 'A worker that knows that a channel is held or disabled sends nothing to it.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const status = ledger.channelViews.statusOf(entry.who, entry.channel)
    return status === 'ACTIVE'
      ? null
      : `${entry.who} sends ${entry.eventId} to channel ${channelNumber(entry.channel) + 1}, which it knows to be ${status}.`
  },
}

const unauthorizedUsesNoRetry: Rule = {
  name: 'unauthorized uses no retry',
  description: 'A receiver that rejects our credentials fails no event and uses up no retry.',
  watch() {
    const unauthorized = new Set<string>()
    return (entry) => {
      if (entry.kind === 'send') unauthorized.delete(`${entry.who} ${entry.eventId}`)
      if (entry.kind === 'claimed')
        for (const { eventId } of entry.refs) unauthorized.delete(`${entry.who} ${eventId}`)
      if (entry.kind === 'result' && UNAUTHORIZED.includes(entry.statusCode))
        unauthorized.add(`${entry.who} ${entry.eventId}`)
      if (entry.kind !== 'commit' || entry.op !== 'settle') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (before === null || after === null) return null
        if (!unauthorized.delete(`${entry.who} ${after.id}`)) return null
        if (after.status === 'FAILED') return `${after.id} is FAILED because our credentials were rejected.`
        return after.retry_count === before.retry_count
          ? null
          : `${after.id} lost a retry because our credentials were rejected.`
      })
    }
  },
}

/** The part of a consumer's time that it reserves for settling its batch. */
export const RESERVED_MS = 5 * SECOND

/** Calls may take seconds, and the lanes of a claim are those of the moment at which it begins. */
const LEARNED_MS = 10 * SECOND

const stoppedChannelIsNotClaimed: Rule = {
  name: 'stopped channel is not claimed',
  description: 'A worker that knows that a channel is held or disabled claims no event of it.',
  watch() {
    const learnedAt = new Map<string, number>()
    return (entry, ledger) => {
      if (entry.kind === 'read')
        for (const { id } of entry.channels) {
          const key = `${entry.who} ${id}`
          if (ledger.channelViews.statusOf(entry.who, id) === 'ACTIVE') learnedAt.delete(key)
          else learnedAt.set(key, learnedAt.get(key) ?? entry.at)
        }
      if (entry.kind !== 'commit' || entry.op !== 'claimDue') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events').filter(isClaim), ({ after }) => {
        const channel = channelOf(ledger, entry.who, after!.id)
        const since = learnedAt.get(`${entry.who} ${channel}`) ?? Number.POSITIVE_INFINITY
        return entry.at - since > LEARNED_MS
          ? `${after!.id} was claimed for a channel that is held or disabled.`
          : null
      })
    }
  },
}

const channelLimits: Rule = {
  name: 'channel limits',
  description:
    'All processes together have no more messages in flight to a channel, and start no more in a second, than the channel allows.',
  watch({ channels, handlers, databaseBehindMs }) {
    /** By channel and process. */
    const inFlight = new Map<string, Map<string, number>>()
    const begun = new Map<string, number[]>()
    /** Until when the slots of a process are leased. A process that was paused, or has no database, may still be sending. */
    const leased = new Map<string, number>()
    return (entry) => {
      if (entry.kind === 'commit' && entry.op === 'writeLeases')
        for (const { before, after } of changesOf<LeaseRow>(entry.rows, 'limit_leases')) {
          const until = newestSlot(before, after)
          if (until !== null) leased.set(`${entry.who} ${after!.channel_id}`, until + databaseBehindMs)
        }
      if (entry.kind === 'lifecycle' && entry.what === 'crashes')
        for (const byProcess of inFlight.values()) byProcess.delete(entry.who)
      if (entry.kind !== 'send' && entry.kind !== 'result') return null
      const { who, channel } = entry
      const byProcess = inFlight.get(channel) ?? new Map<string, number>()
      inFlight.set(channel, byProcess)
      byProcess.set(who, (byProcess.get(who) ?? 0) + (entry.kind === 'send' ? 1 : -1))
      if (entry.kind === 'result') return null
      if (channel === HANDLER_CHANNEL)
        return byProcess.get(who)! > handlers!.concurrency
          ? `${who} runs ${byProcess.get(who)} handlers at once, and may run ${handlers!.concurrency}.`
          : null
      const { concurrency, perSecond } = channels[channelNumber(channel)]!
      const counted = [...byProcess].filter(([one]) => (leased.get(`${one} ${channel}`) ?? 0) > entry.at)
      const now = counted.reduce((sum, [, count]) => sum + count, 0)
      if (concurrency !== null && (now > concurrency || !counted.some(([one]) => one === who)))
        return `${now} are in flight to a channel that allows ${concurrency}, one of ${who}.`
      const times = begun.get(channel) ?? []
      begun.set(channel, times)
      times.push(entry.at)
      const lately = times.filter((at) => entry.at - at < SECOND).length
      return perSecond !== null && lately > perSecond
        ? `${lately} start within a second to a channel that allows ${perSecond}.`
        : null
    }
  },
}

type LeaseRow = { channel_id: string; leases: string }

/** The end of the slots that a write has leased; null if it leased none. */
function newestSlot(before: LeaseRow | null, after: LeaseRow | null): number | null {
  const untilOf = (row: LeaseRow | null) =>
    Object.entries((JSON.parse(row?.leases ?? '{"slots":{}}') as LimitLeases).slots)
  const known = new Map(untilOf(before).map(([id, { until }]) => [id, until]))
  return untilOf(after).find(([id, { until }]) => known.get(id) !== until)?.[1].until ?? null
}

export const CHANNEL_RULES: readonly Rule[] = [
  rightChannel,
  noSendToAStoppedChannel,
  unauthorizedUsesNoRetry,
  stoppedChannelIsNotClaimed,
  channelLimits,
]
