// Tells in plain words what became of an event. Names no person and quotes no message: it can be passed on as it is.

import { formatInstant, formatLocal } from '../time/timestamp.ts'
import type { Attempt, Event } from './event.ts'
import { reasonInWords } from './failure-reason.ts'

/** An event with every attempt at it, and the events that sent it again, oldest first. */
export type Story = { event: Event; attempts: readonly Attempt[]; replays: readonly Event[] }

export type Happening = { at: number; text: string }

export function historyOf({ event, attempts, replays }: Story): Happening[] {
  const happenings = [begun(event), ...attempts.map(tried)]
  const now = standing(event, attempts)
  if (now !== null) happenings.push(now)
  for (const replay of replays) happenings.push(...sentAgain(replay))
  return happenings
}

function begun({ createdAt, replayOf, ownKey }: Event): Happening {
  if (replayOf === null) return { at: createdAt, text: 'Planned.' }
  const key = ownKey ? 'under a new key' : 'under the same key and with the same content'
  return { at: createdAt, text: `Asked for, to send again what failed as event ${replayOf}, ${key}.` }
}

function tried(attempt: Attempt): Happening {
  const { number, claimedBy, startedAt, finishedAt, outcome, statusCode, error } = attempt
  const who = `Attempt ${number}, taken by ${claimedBy} at ${formatInstant(startedAt)},`
  const why = reasonInWords(error, statusCode)
  const text = {
    DELIVERED: `${who} was delivered${statusCode === null ? '' : `: the receiver answered ${statusCode}`}.`,
    RETRY: `${who} failed: ${why}. To be tried again.`,
    PARKED: `${who} failed because its destination was down: ${why}. It waits and does not use up a retry.`,
    FAILED: `${who} failed for good: ${why}.`,
    UNKNOWN: `${who} has no known end: the worker was not heard of again. The message may have arrived; it is sent again under the same key, by which the receiver can tell.`,
  }[outcome]
  return { at: finishedAt, text }
}

/** What no attempt tells: an end without one, or an attempt that has no end yet. */
function standing(event: Event, attempts: readonly Attempt[]): Happening | null {
  const { status, claimedBy, claimedAt, executedAt, failureCode, statusCode } = event
  const last = attempts.at(-1)
  if (status === 'FAILED' && last?.outcome !== 'FAILED') {
    return { at: executedAt!, text: `Ended without being sent: ${reasonInWords(failureCode, statusCode)}.` }
  }
  if (status !== 'PROCESSING' || claimedAt === null || last?.startedAt === claimedAt) return null
  return { at: claimedAt, text: `Taken by ${claimedBy}. How that ends is not known yet.` }
}

function sentAgain(replay: Event): Happening[] {
  const { id, createdAt, status, executedAt, failureCode, statusCode } = replay
  const asked = { at: createdAt, text: `Sent again as event ${id}.` }
  if (executedAt === null) return [asked]
  const end = status === 'COMPLETED' ? 'was delivered' : `failed: ${reasonInWords(failureCode, statusCode)}`
  return [asked, { at: executedAt, text: `Event ${id}, which sends it again, ${end}.` }]
}

/** Two or three sentences: when it was due, and how it stands. */
export function summaryOf({ event, attempts, replays }: Story): string {
  const { targetAt, offsetSeconds, timezone, eventType, status } = event
  const local = formatLocal(targetAt, offsetSeconds)
  const due = `due on ${local.slice(0, 10)} at ${local.slice(11, 16)} in ${timezone}, which is ${formatInstant(targetAt).slice(11, 16)} UTC`
  const sentences = [
    `This ${eventType} message ${status === 'PENDING' ? 'is' : 'was'} ${due}.`,
    state(event, attempts),
  ]
  const latest = replays.at(-1)
  if (latest !== undefined)
    sentences.push(`It was sent again as event ${latest.id}, which ${inBrief(latest)}.`)
  return sentences.join(' ')
}

function state(event: Event, attempts: readonly Attempt[]): string {
  const { status, targetAt, executedAt, wakeAt, failureCode, statusCode } = event
  switch (status) {
    case 'PENDING':
      return event.replayOf === null ? 'It has not been sent yet.' : 'It is about to be sent again.'
    case 'PROCESSING':
      return attempts.at(-1)?.startedAt === event.claimedAt
        ? `${count(attempts.length, 'attempt')} did not bring it; the next is due at ${formatInstant(wakeAt!)}.`
        : 'It is being delivered.'
    case 'COMPLETED':
      return `It was delivered with attempt ${attempts.length}, ${inWords(executedAt! - targetAt)} after it was due.`
    case 'FAILED':
      return `It was given up at ${formatInstant(executedAt!)}: ${reasonInWords(failureCode, statusCode)}.`
  }
}

function inBrief({ status }: Event): string {
  if (status === 'COMPLETED') return 'was delivered'
  return status === 'FAILED' ? 'failed too' : 'is under way'
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** `5 minutes`: as exact as anybody wants to know. */
function inWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, least]) => ms >= least) ?? [null, 0]
  return unit === null ? 'less than a second' : count(Math.floor(ms / unitMs), unit)
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
