// Records the deliveries of a test, and receives the messages that no handler takes. Reaches no network.
import { readResponse } from '../../channels/webhook/response.ts'
import { INBOX_CHANNEL, NO_LIMITS } from '../../domain/settings/channel.ts'
import { formatInstant, formatLocal } from '../../domain/time/timestamp.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { Destination } from '../../engine/deliver/destinations.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { EventOf } from '../handlers/handler.ts'
import type { Activity } from './activity.ts'

/** An attempt to deliver an event. */
export type TestAttempt = {
  type: string
  /** The id of the person in the application; null if the person has none. */
  externalId: string | null
  /** The occurrence of the occasion, such as `2027` of a birthday. */
  occurrence: string
  /** The instant of the attempt, such as `2027-02-28T14:00:00.000Z`. */
  at: string
  /** The local time of the person then, such as `2027-02-28T09:00:00-05:00`. */
  localTime: string
  /** The number of the attempt, from 1. */
  attempt: number
  /** `handlers`, `default` where no handler is registered, or the name of a stored channel. */
  channel: string
  /** Constant over all attempts. */
  idempotencyKey: string
  /** The message, as a webhook receives it and a handler gets it. */
  body: EventOf<string>
}

/** `error`: what the handler threw, or the response of `receive`. */
export type FailedAttempt = TestAttempt & { error: unknown }

/** Returns the status that a receiver of webhooks would respond with. 204 if it returns nothing; a throw is a failed connection. */
export type Receive = (message: TestAttempt) => number | undefined | Promise<number | undefined>

export type Recorder = {
  deliveries: TestAttempt[]
  failures: FailedAttempt[]
  /** Replaces the receiver, which accepts everything at first. */
  receive(receive: Receive): void
  /** Remembers what a handler threw: the result of its attempt has only the class of the error. */
  onThrown(idempotencyKey: string, error: unknown): void
  /** The destination, with its attempts recorded. */
  recorded(destination: Destination): Destination
  /** The receiver, as the channel of that name. */
  channel(name: string): Channel
  /** The receiver, as the destination of events without a channel. */
  byDefault: Destination
}

type Deps = { now: () => number; table: TimezoneTable; activity: Activity }

export function createRecorder({ now, table, activity }: Deps): Recorder {
  const deliveries: TestAttempt[] = []
  const failures: FailedAttempt[] = []
  const thrown = new Map<string, unknown>()
  let receiver: Receive = () => undefined

  function attemptOf({ body: text, attempt, idempotencyKey }: Delivery, channel: string): TestAttempt {
    const body = JSON.parse(text) as EventOf<string>
    const { type, externalId, occurrence, timezone } = body
    const localTime = formatLocal(now(), table.zone(timezone).offsetMsAt(now()) / 1_000)
    return {
      type,
      externalId,
      occurrence,
      at: formatInstant(now()),
      localTime,
      attempt,
      channel,
      idempotencyKey,
      body,
    }
  }

  function record(attempt: TestAttempt, result: DeliveryResult): void {
    const { idempotencyKey } = attempt
    if (result.kind === 'delivered') deliveries.push(attempt)
    else failures.push({ ...attempt, error: thrown.get(idempotencyKey) ?? result.error })
    thrown.delete(idempotencyKey)
  }

  function recordedChannel(name: string, channel: Channel): Channel {
    return {
      ...channel,
      deliver: (delivery, signal) =>
        activity.during(async () => {
          const attempt = attemptOf(delivery, name)
          const result = await channel.deliver(delivery, signal)
          record(attempt, result)
          return result
        }),
    }
  }

  function channel(name: string): Channel {
    async function deliver(delivery: Delivery): Promise<DeliveryResult> {
      try {
        const status = await receiver(attemptOf(delivery, name))
        return readResponse(status ?? 204, undefined, now())
      } catch (error) {
        thrown.set(delivery.idempotencyKey, error)
        return { kind: 'transient', error: 'CONNECTION: failed by the test', statusCode: null }
      }
    }
    return recordedChannel(name, { deliver, close: async () => {} })
  }

  return {
    deliveries,
    failures,
    receive: (receive) => {
      receiver = receive
    },
    onThrown: (idempotencyKey, error) => thrown.set(idempotencyKey, error),
    recorded: (destination) => ({
      ...destination,
      ...ONE_AT_A_TIME,
      channel: recordedChannel(destination.name, destination.channel),
    }),
    channel,
    byDefault: {
      id: INBOX_CHANNEL,
      name: 'default',
      kind: 'webhook',
      status: 'ACTIVE',
      ...ONE_AT_A_TIME,
      channel: channel('default'),
    },
  }
}

/** So that the events of one instant are delivered in one order on every database. */
const ONE_AT_A_TIME = { limits: NO_LIMITS, localConcurrency: 1 }
