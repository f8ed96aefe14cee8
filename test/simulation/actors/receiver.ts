// The receivers, one for each channel: they accept every message unless a fault says how to reply.
import { readFailure } from '../../../src/channels/email/smtp-reply.ts'
import { readResponse } from '../../../src/channels/webhook/response.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { ChannelPlan, ReceiverFault, Reply, Scenario } from '../scenario.ts'

/** What happens to one message. */
export type Exchange = {
  /** False if the message never reaches the receiver. */
  arrives: boolean
  accepted: boolean
  answer: DeliveryResult
  afterMs: number
  /** For the description of a run. */
  reply: string
}

export type Receiver = { receive(channel: number, now: number): Exchange }

const TIMEOUT_MS = { webhook: 10 * SECOND, smtp: 20 * SECOND }
const OK = { webhook: 200, smtp: 250 }

/** Each response has a text of its own, so that the invariants can tell them apart. */
function numbered(exchange: Exchange, number: number): Exchange {
  const { answer } = exchange
  if (answer.statusCode === null) return exchange
  const response = { headers: {}, body: `response ${number}`, shortened: false }
  return { ...exchange, answer: { ...answer, response } }
}

export function createReceiver(scenario: Pick<Scenario, 'channels' | 'faults' | 'faultsEndAt'>): Receiver {
  const { channels, faults, faultsEndAt } = scenario
  const waiting = faults.flatMap((fault) =>
    fault.kind === 'reply' || fault.kind === 'down' ? [{ fault, left: usesOf(fault) }] : [],
  )
  let count = 0

  function meet(channel: number, now: number): Exchange {
    const { kind } = channels[channel]!
    const met = waiting.find(
      ({ fault, left }) => left > 0 && now < faultsEndAt && fault.channel === channel && lasts(fault, now),
    )
    if (met === undefined) return exchangeFor({ kind: 'status', status: OK[kind] }, kind, now)
    met.left -= 1
    return exchangeFor(met.fault.reply, kind, now)
  }

  return { receive: (channel, now) => numbered(meet(channel, now), ++count) }
}

function usesOf(fault: ReceiverFault): number {
  return fault.kind === 'reply' ? fault.times : Number.POSITIVE_INFINITY
}

function lasts(fault: ReceiverFault, now: number): boolean {
  return fault.at <= now && (fault.kind === 'reply' || now < fault.at + fault.forMs)
}

function exchangeFor(reply: Reply, kind: ChannelPlan['kind'], now: number): Exchange {
  switch (reply.kind) {
    case 'status': {
      const answer = kind === 'webhook' ? httpResult(reply, now) : smtpResult(reply)
      return {
        arrives: true,
        accepted: answer.kind === 'delivered',
        answer,
        afterMs: 0,
        reply: `${reply.status}`,
      }
    }
    case 'timeout':
      return broken('TIMEOUT', TIMEOUT_MS[kind], reply.accepted)
    case 'reset':
      return broken('RESET', 0, reply.accepted)
    case 'slow':
      return {
        arrives: true,
        accepted: true,
        answer: { kind: 'delivered', statusCode: OK[kind] },
        afterMs: reply.ms,
        reply: `${OK[kind]} after ${reply.ms} ms`,
      }
  }
}

type Status = Reply & { kind: 'status' }

function httpResult({ status, retryAfterSeconds }: Status, now: number): DeliveryResult {
  return readResponse(status, retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds), now)
}

function smtpResult({ status, to }: Status): DeliveryResult {
  if (status < 300) return { kind: 'delivered', statusCode: status }
  return readFailure({ responseCode: status, command: to, response: `${status} no` })
}

function broken(error: string, afterMs: number, accepted: boolean): Exchange {
  const answer: DeliveryResult = { kind: 'transient', error, statusCode: null }
  const reply = accepted ? `accepted, but the sender sees ${error}` : error
  return { arrives: accepted, accepted, answer, afterMs, reply }
}
