// Describes the history of an event in words, without names and message text, so that it contains no personal data.

import { UNAUTHORIZED } from '../settings/channel.ts'
import type { StoppedChannel } from '../settings/channel-status.ts'
import { formatInstant, formatLocal } from '../time/timestamp.ts'
import type { Attempt, Event } from './event.ts'
import { type EventStatus, isTerminal } from './event-status.ts'
import { reasonCode, reasonInWords } from './failure-reason.ts'
import type { EventMove, EventSlot, MoveCause } from './move.ts'

/** An event with its attempts, its moves and its replays, oldest first. */
export type Story = {
  event: Event
  attempts: readonly Attempt[]
  /** It was claimed before and has no lease: a worker may claim it. */
  isFree: boolean
  moves: readonly EventMove[]
  replays: readonly Event[]
}

/** The channel of an event as it is now. `isNone`: no channel is the default, and there is no inbox. */
export type ChannelState = {
  name: string
  isNone: boolean
  stopped: StoppedChannel | null
  isDown: boolean
}

export type Happening = { at: number; text: string }

/** `nameOf` names a channel; null if none is recorded. */
export function historyOf(story: Story, nameOf: (channelId: string | null) => string | null): Happening[] {
  const { event, attempts, moves, replays } = story
  const happenings = [
    // A pause came before the event that resuming inserted.
    ...[creation(event), ...moves.map(moveText)].sort((a, b) => a.at - b.at),
    ...attempts.map((attempt) => attemptText(attempt, nameOf(attempt.channelId))),
  ]
  const now = currentState(story)
  if (now !== null) happenings.push(now)
  for (const replay of replays) happenings.push(...replayTexts(replay))
  return happenings
}

function creation({ createdAt, replayOf, ownKey }: Event): Happening {
  if (replayOf === null) return { at: createdAt, text: 'Planned.' }
  const key = ownKey ? 'a new key' : 'the same key and content'
  return { at: createdAt, text: `Created as a replay of the failed event ${replayOf}, with ${key}.` }
}

const CAUSES: Record<MoveCause, string> = {
  TIMEZONE_CHANGED: 'the timezone of the person changed',
  BIRTH_DATE_CHANGED: 'the date of birth changed',
  OCCASION_CHANGED: 'the occasion changed',
  OCCASION_PAUSED: 'the occasion was paused',
  OCCASION_RESUMED: 'the occasion was resumed',
  REPAIRED: 'its plan was repaired',
  TASK_CHANGED: 'the task changed',
  TIMEZONE_RULES_CHANGED: 'the rules of the timezone changed',
}

function moveText({ at, cause, from, to }: EventMove): Happening {
  const why = CAUSES[cause]
  if (from === null) return { at, text: `Planned for ${slotText(to!)}: ${why}.` }
  if (to === null) return { at, text: `Removed, was due on ${slotText(from)}: ${why}.` }
  return { at, text: `Moved from ${slotText(from)} to ${slotText(to)}: ${why}.` }
}

/** `2026-12-15 at 09:00 in America/Vancouver` */
function slotText({ targetAt, offsetSeconds, timezone }: EventSlot): string {
  const local = formatLocal(targetAt, offsetSeconds)
  return `${local.slice(0, 10)} at ${local.slice(11, 16)} in ${timezone}`
}

function attemptText(attempt: Attempt, channel: string | null): Happening {
  const { number, claimedBy, startedAt, finishedAt, outcome, statusCode, error } = attempt
  const who = `Attempt ${number}${channel === null ? '' : ` to ${channel}`}, claimed by ${claimedBy} at ${formatInstant(startedAt)},`
  const why = reasonInWords(error, statusCode)
  const text = {
    DELIVERED: `${who} was delivered${statusCode === null ? '' : `: the receiver responded with ${statusCode}`}.`,
    RETRY: `${who} failed: ${why}. It will be retried.`,
    RELEASED: UNAUTHORIZED.includes(statusCode)
      ? `${who} was rejected: ${why}, so its channel was held. It waits and uses no retry.`
      : `${who} failed because its destination was down: ${why}. It waits and uses no retry.`,
    FAILED: `${who} failed permanently: ${why}.`,
    UNKNOWN: `${who} has an unknown outcome: the worker stopped responding. The message may have arrived; it is sent again with the same key, so that the receiver can recognise the duplicate.`,
  }[outcome]
  return { at: finishedAt, text }
}

/** A state that no attempt describes: failed or waiting without an attempt, or an attempt in progress. */
function currentState({ event, attempts, isFree }: Story): Happening | null {
  const { status, claimedBy, claimedAt, executedAt, failureCode, statusCode } = event
  const last = attempts.at(-1)
  if (status === 'FAILED' && last?.outcome !== 'FAILED') {
    return {
      at: executedAt!,
      text: `Failed without being sent: ${reasonInWords(failureCode, statusCode)}.`,
    }
  }
  if (status !== 'PROCESSING' || claimedAt === null || last?.startedAt === claimedAt) return null
  const text = isFree
    ? `Claimed by ${claimedBy} and released without being sent.`
    : `Claimed by ${claimedBy}. The attempt is in progress.`
  return { at: claimedAt, text }
}

function replayTexts(replay: Event): Happening[] {
  const { id, createdAt, status, executedAt, failureCode, statusCode } = replay
  const created = { at: createdAt, text: `Replayed as event ${id}.` }
  if (executedAt === null) return [created]
  const end = status === 'COMPLETED' ? 'was delivered' : `failed: ${reasonInWords(failureCode, statusCode)}`
  return [created, { at: executedAt, text: `The replay, event ${id}, ${end}.` }]
}

/** Two or three sentences: when it was due, and its state. */
export function summaryOf(story: Story, channel: ChannelState, now: number): string {
  const { event, replays } = story
  const { targetAt, offsetSeconds, timezone, eventType, status } = event
  const local = formatLocal(targetAt, offsetSeconds)
  const due = `due on ${local.slice(0, 10)} at ${local.slice(11, 16)} in ${timezone}, which is ${formatInstant(targetAt).slice(11, 16)} UTC`
  const sentences = [
    `This ${eventType} message ${status === 'PENDING' ? 'is' : 'was'} ${due}.`,
    state(story, channel, now),
  ]
  const latest = replays.at(-1)
  if (latest !== undefined) sentences.push(`It was replayed as event ${latest.id}, which ${inBrief(latest)}.`)
  return sentences.join(' ')
}

function state({ event, attempts, isFree }: Story, channel: ChannelState, now: number): string {
  const { status, targetAt, executedAt, wakeAt, failureCode, statusCode } = event
  if (channel.stopped !== null && !isTerminal(status)) return stoppedText(channel.stopped, status)
  const isDue = wakeAt !== null && wakeAt <= now && (status === 'PENDING' || isFree)
  if (isDue && channel.isNone)
    return 'It is waiting: no channel is the default. It is sent when there is one.'
  if (isDue && channel.isDown)
    return `It is waiting: its channel ${channel.name} is down. It is sent when the channel responds again, and uses no retry until then.`
  switch (status) {
    case 'PENDING':
      return event.replayOf === null ? 'It has not been sent yet.' : 'It is about to be replayed.'
    case 'PROCESSING':
      if (attempts.at(-1)?.startedAt === event.claimedAt)
        return `${count(attempts.length, 'attempt')} failed; the next is due at ${formatInstant(wakeAt!)}.`
      return isFree
        ? `It is waiting: a worker sends it at ${formatInstant(wakeAt!)} or later.`
        : 'It is being delivered.'
    case 'COMPLETED':
      return `It was delivered by attempt ${attempts.length}, ${inWords(executedAt! - targetAt)} after it was due.`
    case 'FAILED':
      return `It failed at ${formatInstant(executedAt!)}: ${reasonInWords(failureCode, statusCode)}.`
  }
}

function stoppedText(stopped: StoppedChannel, of: EventStatus): string {
  const { name, status, statusReason, heldUntil, heldBy } = stopped
  const reasons = [statusReason === null ? [] : reasonCode(statusReason), heldBy ?? []].flat()
  const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`
  const channel = `its channel ${name} is ${status === 'HELD' ? 'held' : 'disabled'}${why}`
  if (heldUntil !== null) {
    const end = `${channel} until ${formatInstant(heldUntil)}`
    return of === 'PENDING'
      ? `It has not been sent yet: ${end}. If it is due before then, it is sent then.`
      : `It is waiting: ${end}. It is sent then, and uses no retry until then.`
  }
  return of === 'PENDING'
    ? `It has not been sent yet: ${channel}. It is not sent before the channel is released.`
    : `It is waiting: ${channel}. It is sent when the channel is released, and uses no retry until then.`
}

function inBrief({ status }: Event): string {
  if (status === 'COMPLETED') return 'was delivered'
  return status === 'FAILED' ? 'failed too' : 'is in progress'
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** `5 minutes`: the largest unit only. */
function inWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, least]) => ms >= least) ?? [null, 0]
  return unit === null ? 'less than a second' : count(Math.floor(ms / unitMs), unit)
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
