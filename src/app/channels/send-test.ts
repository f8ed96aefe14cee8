// Sends a test message over a channel, with its stored settings and secrets.
import { ChannelUnusableError } from '../../domain/errors.ts'
import type { ChannelRecord } from '../../domain/settings/channel.ts'
import type { Channel, DeliveryResult } from '../../ports/channel.ts'
import type { ChannelsDeps, Rejected } from './channels.ts'

type Sent = { kind: 'sent'; result: DeliveryResult; response: string | null; tookMs: number }

/** Stores nothing. */
export async function testChannel(
  deps: ChannelsDeps,
  id: string,
  body: (channel: ChannelRecord, eventId: string) => string,
): Promise<Sent | Rejected> {
  const record = (await deps.store.listChannels()).find((one) => one.id === id)
  if (record === undefined) return { kind: 'missing' }
  const startedAt = deps.clock.now()
  const eventId = deps.ids(startedAt)
  const channel = openOrReject(deps, record)
  if ('kind' in channel) return channel
  try {
    const delivery = {
      eventId,
      idempotencyKey: `test-${eventId}`,
      body: body(record, eventId),
      attempt: 1,
      keepResponses: 'all' as const,
    }
    const result = await channel.deliver(delivery, new AbortController().signal)
    const response = result.response?.body || null
    return { kind: 'sent', result, response, tookMs: deps.clock.now() - startedAt }
  } finally {
    await channel.close()
  }
}

function openOrReject(
  { open }: ChannelsDeps,
  record: ChannelRecord,
): Channel | (Rejected & { kind: 'unusable' }) {
  try {
    return open(record)
  } catch (error) {
    if (!(error instanceof ChannelUnusableError)) throw error
    return { kind: 'unusable', reason: error.message }
  }
}
