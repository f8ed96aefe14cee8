// The channels of a scenario: their rows in the database, and each worker's connections to them.
import { composeMail } from '../../../src/channels/email/mail.ts'
import { parseMailSender } from '../../../src/channels/email/mail-sender.ts'
import type { ChannelRecord, ChannelSettings } from '../../../src/domain/settings/channel.ts'
import {
  createDestinations,
  type Destination,
  type Destinations,
} from '../../../src/engine/deliver/destinations.ts'
import type { Channel, Delivery, DeliveryResult } from '../../../src/ports/channel.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Telemetry } from '../../../src/ports/telemetry.ts'
import type { ChannelPlan, Scenario } from '../scenario.ts'
import type { World } from '../support/world.ts'
import type { Process } from './process.ts'

const FROM = { from: 'Terce <hello@example.com>', replyTo: null, listUnsubscribe: null }
const SENDER = parseMailSender(FROM)

export function channelId(number: number): string {
  return `00000000-0000-7000-8000-00000000c${String(number).padStart(3, '0')}`
}

export function channelNumber(id: string): number {
  return Number(id.slice(-3))
}

/** The channels of a scenario, as stored. */
export function channelRecords({ channels, from }: Pick<Scenario, 'channels' | 'from'>): ChannelRecord[] {
  return channels.map((plan, number) => ({
    id: channelId(number),
    name: `channel ${number + 1}`,
    settings: settingsOf(plan),
    secrets: [],
    defaultSince: number === 0 ? from : null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: from,
    updatedAt: from,
  }))
}

function settingsOf({ kind, perSecond, concurrency }: ChannelPlan): ChannelSettings {
  const limits = { perSecond, concurrency }
  return kind === 'webhook'
    ? { kind, url: 'https://receiver.example', ...limits }
    : { kind, ...FROM, ...limits }
}

export function connectDestinations(
  world: World,
  process: Process,
  deps: { store: Store; clock: Clock; telemetry: Telemetry; handlers?: Destination | null },
): Destinations {
  const open = (record: ChannelRecord) => {
    const channel = connectChannel(world, process, record)
    return world.mistake?.channel?.(channel) ?? channel
  }
  return createDestinations({ ...deps, open, fallback: noChannel(world, process) })
}

/** A scenario always has a default channel: no message may reach this destination. */
function noChannel({ note }: World, { name: who }: Process): Destination {
  const limits = { perSecond: null, concurrency: null }
  const channel: Channel = {
    deliver: async ({ eventId }) => {
      note({ kind: 'unexpected', who, during: 'send', error: `${eventId} has no channel` })
      return { kind: 'transient', error: 'NO_CHANNEL', statusCode: null }
    },
    close: async () => {},
  }
  return { id: 'none', name: 'none', kind: 'webhook', status: 'ACTIVE', limits, channel }
}

const ABORTED: DeliveryResult = { kind: 'transient', error: 'ABORTED', statusCode: null }

function connectChannel(world: World, process: Process, record: ChannelRecord): Channel {
  const { receiver, scheduler, note } = world
  const number = channelNumber(record.id)

  async function exchange(
    { eventId, idempotencyKey: key, body }: Delivery,
    signal: AbortSignal,
  ): Promise<DeliveryResult> {
    const sent = process.ask(
      'send',
      async () => {
        const meeting = receiver.receive(number, scheduler.now())
        const { arrives, accepted, reply, answer, afterMs: takesMs } = meeting
        const retryAfterMs = answer.kind === 'transient' ? (answer.retryAfterMs ?? 0) : 0
        const well = answer.kind === 'delivered' && takesMs === 0
        const met = { who: process.name, channel: record.id, eventId, reply, well, takesMs, retryAfterMs }
        if (arrives) note({ kind: 'arrival', key, body, accepted, ...met })
        else note({ kind: 'lost', ...met })
        return meeting
      },
      { delayMs: ({ afterMs }) => afterMs },
    )
    const aborted = new Promise<DeliveryResult>((resolve) => {
      signal.addEventListener('abort', () => process.interrupt(() => resolve(ABORTED)), { once: true })
    })
    return Promise.race([sent.then(({ answer }) => answer), aborted])
  }

  return {
    async deliver(delivery, signal) {
      const sending = { who: process.name, channel: record.id, eventId: delivery.eventId }
      note({ kind: 'send', clock: process.clock.now(), ...sending })
      const unfit = record.settings.kind === 'webhook' ? null : mailProblem(delivery)
      const result = unfit ?? (await exchange(delivery, signal))
      const error = result.kind === 'delivered' ? null : result.error
      const response = result.response?.body ?? null
      const { statusCode } = result
      note({ kind: 'result', version: record.version, statusCode, error, response, ...sending })
      return result
    },
    close: async () => {},
  }
}

/** The check that every mail channel makes before it connects to a server. */
function mailProblem(delivery: Delivery): DeliveryResult | null {
  if (!SENDER.ok) throw new Error('The sender of the simulated mails is not an address.')
  const composed = composeMail(delivery, SENDER.value)
  return composed.ok ? null : { kind: 'permanent', error: composed.error, statusCode: null }
}
