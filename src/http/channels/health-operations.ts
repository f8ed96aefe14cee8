// The state and the figures of one channel, and the probe of its destination, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { count, countedAt } from '../dashboard/json.ts'
import type { Operation } from '../server/operation.ts'
import { ChannelJson, ChannelStatusJson, ofChannel } from './json.ts'

const tag = 'Channels'

export const HealthJson = ChannelStatusJson.extend({
  isDefault: ChannelJson.shape.isDefault,
  downSince: ChannelJson.shape.downSince,
  lastError: ChannelJson.shape.lastError,
  nextProbeAt: ChannelJson.shape.nextProbeAt,
  waiting: count('Messages that wait until it is released, responds, or its hold ends.'),
  countedAt,
  last24h: z
    .object({
      delivered: count('Messages that were delivered.'),
      failed: count('Messages that failed.'),
      latency: z.object({ p50Ms: z.number(), p95Ms: z.number() }).nullable().openapi({
        description:
          'How long the last attempt of a delivered message took, from its claim; null without any.',
      }),
    })
    .openapi({ description: 'The messages settled in the last 24 hours.' }),
}).openapi('ChannelHealth', { description: 'Whether a channel sends, and how it did.' })

const health = { 200: { description: 'Its state and figures.', schema: HealthJson } }

export const READ_HEALTH = {
  operationId: 'readChannelHealth',
  route: 'GET /channel/{id}/health',
  scope: 'admin',
  tag,
  summary: 'Read the health of a channel',
  description:
    'Returns the state of a channel and of its destination, the messages that wait, and the success and latency of the last 24 hours. Also for the built-in inbox and handlers, by their id.',
  ...ofChannel,
  responses: health,
} satisfies Operation

export const PROBE_CHANNEL = {
  operationId: 'probeChannel',
  route: 'POST /channel/{id}/probe',
  scope: 'admin',
  audit: { action: 'channel.probed', kind: 'channel' },
  tag,
  summary: 'Probe a channel now',
  description:
    'Makes the next probe of a destination that is down due now: a waiting message is sent within seconds, on Cloudflare and AWS within two minutes. Does nothing while the destination is up. Without a waiting message, the next message is the probe.',
  ...ofChannel,
  responses: health,
} satisfies Operation
