// Builds the request that would deliver an event now, with a new signature. Sends and stores nothing.
import { idempotencyKey } from '../../domain/events/idempotency-key.ts'
import { type ChannelRecord, defaultChannel, INBOX_CHANNEL } from '../../domain/settings/channel.ts'
import type { SignedRequest } from '../../ports/channel.ts'
import type { HistoryStore, OccasionStore } from '../../ports/store.ts'
import type { ChannelsDeps } from '../channels/channels.ts'
import { openOrReject } from '../channels/send-test.ts'

/** The built-in inbox: its URL, and the secrets that sign deliveries to it. */
export type InboxTarget = { url: string; secrets: readonly string[] }

type BuiltRequest =
  | { kind: 'built'; channel: string; request: SignedRequest }
  | { kind: 'missing' }
  /** The message is rendered when the event is first claimed. */
  | { kind: 'not-rendered' }
  | { kind: 'no-channel' }
  | { kind: 'not-a-webhook'; channel: string }
  | { kind: 'unusable'; reason: string }

export async function buildRequest(
  deps: ChannelsDeps & { store: Pick<HistoryStore, 'findEvent'> & Pick<OccasionStore, 'findOccasion'> },
  eventId: string,
  inbox: InboxTarget | null,
): Promise<BuiltRequest> {
  const [found, channels] = await Promise.all([deps.store.findEvent(eventId), deps.store.listChannels()])
  if (found === null) return { kind: 'missing' }
  const { event, attempts } = found
  if (event.deliveryPayload === null) return { kind: 'not-rendered' }
  // As a worker chooses it: the channel of the occasion, not of an earlier attempt; if it is gone, the default channel.
  const occasion = await deps.store.findOccasion(event.occasionId)
  const record = channels.find(({ id }) => id === occasion?.channelId) ?? defaultChannel(channels)
  if (record === null && inbox === null) return { kind: 'no-channel' }
  const channel =
    record === null ? deps.open(inboxRecord(inbox!), inbox!.secrets) : openOrReject(deps, record)
  if ('kind' in channel) return channel
  try {
    const name = record?.name ?? 'inbox'
    if (channel.requestOf === undefined) return { kind: 'not-a-webhook', channel: name }
    const request = channel.requestOf({
      eventId,
      idempotencyKey: idempotencyKey(event),
      body: event.deliveryPayload,
      attempt: attempts.length + 1,
    })
    return { kind: 'built', channel: name, request }
  } finally {
    await channel.close()
  }
}

function inboxRecord({ url }: InboxTarget): ChannelRecord {
  return {
    id: INBOX_CHANNEL,
    name: 'inbox',
    settings: { kind: 'webhook', url, perSecond: null, concurrency: null },
    secrets: [],
    defaultSince: null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
  }
}
