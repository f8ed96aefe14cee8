// The far side of the network: accepts what comes, unless a fault says how it shall behave.
import { readAnswer } from '../../src/channels/webhook/answer.ts'
import type { DeliveryResult } from '../../src/ports/channel.ts'
import { SECOND } from '../fixtures.ts'
import type { Reply, Scenario } from './scenario.ts'

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

export type Receiver = { meet(now: number): Meeting }

const PATIENCE_MS = 10 * SECOND
const OK: Reply = { kind: 'status', status: 200 }

export function createReceiver({ faults, calmAt }: Pick<Scenario, 'faults' | 'calmAt'>): Receiver {
  const waiting = faults.flatMap((fault) => (fault.kind === 'reply' ? [{ ...fault }] : []))
  return {
    meet(now) {
      const fault = waiting.find(({ at, times }) => at <= now && now < calmAt && times > 0)
      if (fault !== undefined) fault.times -= 1
      return meetingOf(fault?.reply ?? OK, now)
    },
  }
}

function meetingOf(reply: Reply, now: number): Meeting {
  switch (reply.kind) {
    case 'status': {
      const retryAfter = reply.retryAfterSeconds === undefined ? undefined : String(reply.retryAfterSeconds)
      const answer = readAnswer(reply.status, retryAfter, now)
      const accepted = answer.kind === 'delivered'
      return { arrives: true, accepted, answer, afterMs: 0, reply: `${reply.status}` }
    }
    case 'timeout':
      return broken('TIMEOUT', PATIENCE_MS, reply.accepted)
    case 'reset':
      return broken('RESET', 0, reply.accepted)
    case 'slow':
      return {
        arrives: true,
        accepted: true,
        answer: { kind: 'delivered', statusCode: 200 },
        afterMs: reply.ms,
        reply: `200 after ${reply.ms} ms`,
      }
  }
}

function broken(error: string, afterMs: number, accepted: boolean): Meeting {
  const answer: DeliveryResult = { kind: 'transient', error, statusCode: null }
  return { arrives: accepted, accepted, answer, afterMs, reply: `accepted, but the sender sees ${error}` }
}
