// The far side of the network, one for each channel: accepts what comes, unless a fault says how it shall behave.
import { readFailure } from '../../../src/channels/email/smtp-answer.ts'
import { readAnswer } from '../../../src/channels/webhook/answer.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { ChannelPlan, FarSideFault, Reply, Scenario } from '../scenario.ts'

/** What one message meets. */
export type Meeting = {
  /** False if it never gets there. */
  arrives: boolean
  accepted: boolean
  answer: DeliveryResult
  afterMs: number
  /** In words. */
  reply: string
}

export type Receiver = { meet(channel: number, now: number): Meeting }

const PATIENCE_MS = { webhook: 10 * SECOND, smtp: 20 * SECOND }
const OK = { webhook: 200, smtp: 250 }

export function createReceiver(scenario: Pick<Scenario, 'channels' | 'faults' | 'calmAt'>): Receiver {
  const { channels, faults, calmAt } = scenario
  const waiting = faults.flatMap((fault) =>
    fault.kind === 'reply' || fault.kind === 'down' ? [{ fault, left: usesOf(fault) }] : [],
  )
  return {
    meet(channel, now) {
      const { kind } = channels[channel]!
      const met = waiting.find(
        ({ fault, left }) => left > 0 && now < calmAt && fault.channel === channel && lasts(fault, now),
      )
      if (met === undefined) return meetingOf({ kind: 'status', status: OK[kind] }, kind, now)
      met.left -= 1
      return meetingOf(met.fault.reply, kind, now)
    },
  }
}

function usesOf(fault: FarSideFault): number {
  return fault.kind === 'reply' ? fault.times : Number.POSITIVE_INFINITY
}

function lasts(fault: FarSideFault, now: number): boolean {
  return fault.at <= now && (fault.kind === 'reply' || now < fault.at + fault.forMs)
}

function meetingOf(reply: Reply, kind: ChannelPlan['kind'], now: number): Meeting {
  switch (reply.kind) {
    case 'status': {
      const answer = kind === 'webhook' ? httpAnswer(reply, now) : smtpAnswer(reply)
      return {
        arrives: true,
        accepted: answer.kind === 'delivered',
        answer,
        afterMs: 0,
        reply: `${reply.status}`,
      }
    }
    case 'timeout':
      return broken('TIMEOUT', PATIENCE_MS[kind], reply.accepted)
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

function httpAnswer({ status, retryAfterSeconds }: Status, now: number): DeliveryResult {
  return readAnswer(status, retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds), now)
}

function smtpAnswer({ status, to }: Status): DeliveryResult {
  if (status < 300) return { kind: 'delivered', statusCode: status }
  return readFailure({ responseCode: status, command: to, response: `${status} no` })
}

function broken(error: string, afterMs: number, accepted: boolean): Meeting {
  const answer: DeliveryResult = { kind: 'transient', error, statusCode: null }
  const reply = accepted ? `accepted, but the sender sees ${error}` : error
  return { arrives: accepted, accepted, answer, afterMs, reply }
}
