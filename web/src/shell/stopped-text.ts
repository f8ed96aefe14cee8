// Why a channel does not send, and what happens to its messages, as text.
import { reasonCode } from '../../../src/domain/events/failure-reason.ts'
import type { ChannelHealth } from '../api/settings-types.ts'
import type { StoppedChannel } from '../api/types.ts'
import { count, fromNow, utcText, wallAt } from '../clock/format.ts'

/** `is held: HTTP 401`, `has been down since 12:14Z (connection refused)` */
export function stateText(channel: StoppedChannel, now: number): string {
  const { status, statusReason, since, heldUntil, heldBy } = channel
  if (status === 'DOWN') return `has been ${downText(since!, statusReason, now)}`
  const end = heldUntil === null ? '' : ` until ${utcText(Date.parse(heldUntil), wallAt(now, 0).date)}`
  const by = heldBy === null ? '' : ` by ${heldBy}`
  return `is ${status === 'HELD' ? 'held' : 'switched off'}${by}${end}${statusReason === null ? '' : `: ${statusReason}`}`
}

export function effectText(channel: StoppedChannel, now: number): string {
  const { status, waiting, nextProbeAt, heldUntil } = channel
  if (status === 'DISABLED') return 'Its messages fail when they are due.'
  const isDown = status === 'DOWN'
  // Without a waiting message nothing is sent at the time of the probe.
  const end = heldUntil === null ? 'until it is released' : 'until then'
  if (waiting === 0) return isDown ? 'Its next message is the next try.' : `Its messages wait ${end}.`
  const wait = `${count(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'}`
  return isDown ? `${wait}; ${nextTryText(nextProbeAt!, now)}.` : `${wait} ${end}.`
}

type Probed = Pick<ChannelHealth, 'name' | 'downSince' | 'lastError' | 'nextProbeAt' | 'waiting'>

/** `crm is down`: why a message of the channel waits. */
export function waitText({ name, status }: StoppedChannel): string {
  return `${name} is ${status === 'DOWN' ? 'down' : 'held'}`
}

/** What a try of a destination that was down has shown. */
export function probedText(probed: Probed, now: number): string {
  const { name, downSince, lastError, nextProbeAt, waiting } = probed
  if (downSince === null) return `${name} responds again. Its messages are sent now.`
  if (waiting === 0) return `No message waits for ${name}. Its next message is the next try.`
  return `${name} is ${downText(downSince, lastError, now)}; ${nextTryText(nextProbeAt!, now)}.`
}

/** The button that ends the state. */
export function releaseText({ status }: { status: string }): string {
  return status === 'DISABLED' ? 'Switch on' : 'Release'
}

/** `down since 12:14Z (connection refused)`, with the date if it is not today. */
export function downText(since: string, lastError: string | null, now: number): string {
  const error = lastError === null ? '' : ` (${errorText(lastError)})`
  return `down since ${utcText(Date.parse(since), wallAt(now, 0).date)}${error}`
}

/** `next try in 20 s`; the time of a probe that is being sent, or finds no message, has passed. */
function nextTryText(nextProbeAt: string, now: number): string {
  return `next try ${fromNow(Math.max(Date.parse(nextProbeAt), now), now)}`
}

const WORDS: Readonly<Record<string, string>> = {
  TIMEOUT: 'no response in time',
  CONNECTION: 'connection failed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  HANDLER_ERROR: 'handler error',
}

/** `HTTP 503` as it is, `connection refused` for `CONNECTION: ECONNREFUSED`. */
function errorText(error: string): string {
  const code = reasonCode(error).replace('CONNECTION: ', '')
  return WORDS[code] ?? code
}
