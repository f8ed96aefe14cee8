// The operations on channels, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { ifMatch } from '../../api/fields.ts'
import { ALLOWED_TARGETS } from '../../domain/settings/channel.ts'
import type { Operation } from '../server/operation.ts'
import { ChannelChangeJson, HoldJson, NewChannelJson, NewSecretJson } from './input.ts'
import { ChannelJson, ChannelStatusJson, ofChannel } from './json.ts'

const tag = 'Channels'

const WithSecretJson = z.object({
  channel: ChannelJson,
  secret: z
    .string()
    .nullable()
    .openapi({ description: 'The generated secret, returned once; null if you provided it.' }),
})

export const TestedJson = z
  .object({
    delivered: z.boolean(),
    statusCode: z.int().nullable(),
    error: z.string().nullable(),
    response: z.string().nullable().openapi({
      description:
        'What the server responded: the body of the HTTP response or the last SMTP reply, up to 4 kB. Null without one.',
      example: '250 2.0.0 Ok: queued as 4F1A2',
    }),
    tookMs: z.int(),
  })
  .openapi('ChannelTest', { description: 'The result of a test.' })

const one = { 200: { description: 'The channel.', schema: ChannelJson } }

const ChannelsJson = z.object({
  items: z.array(ChannelJson),
  canStoreSecrets: z.boolean().openapi({
    description:
      'False if the server has no key for secrets (TERCE_SECRET_KEY, or the key file beside a SQLite file): no channel can be created.',
  }),
  allowedTargets: z.enum(ALLOWED_TARGETS).openapi({
    description:
      'The hosts that channels may send to. public: on the internet, encrypted. loopback: also this computer, such as http://127.0.0.1:8080. any: all, with ALLOW_PRIVATE_TARGETS=true.',
  }),
})

export const LIST_CHANNELS = {
  operationId: 'listChannels',
  route: 'GET /channel',
  scope: 'admin',
  tag,
  summary: 'List channels',
  description: 'Lists all channels, and what this server allows a new one.',
  responses: { 200: { description: 'All items.', schema: ChannelsJson } },
} satisfies Operation

export const READ_CHANNEL = {
  operationId: 'readChannel',
  route: 'GET /channel/{id}',
  scope: 'admin',
  tag,
  summary: 'Read a channel',
  description: 'Returns one channel with its status and active secrets (never their text).',
  ...ofChannel,
  responses: one,
} satisfies Operation

export const CREATE_CHANNEL = {
  operationId: 'createChannel',
  route: 'POST /channel',
  scope: 'admin',
  audit: {
    action: 'channel.created',
    read: ({ channel }) => ({ object: { kind: 'channel', id: channel.id } }),
  },
  tag,
  summary: 'Create a channel',
  description:
    'Creates a webhook, SMTP or mail provider channel. The host of each is checked now and at every connection: it must be one that allowedTargets of `GET /channel` allows.',
  body: { schema: NewChannelJson },
  responses: { 201: { description: 'Created.', schema: WithSecretJson } },
  problems: ['CHANNEL_NAME_TAKEN', 'SECRET_KEY_MISSING'],
} satisfies Operation

export const CHANGE_CHANNEL = {
  operationId: 'changeChannel',
  route: 'PUT /channel/{id}',
  scope: 'admin',
  audit: { action: 'channel.changed', kind: 'channel' },
  tag,
  summary: 'Change a channel',
  description:
    'Changes the given fields. Workers follow within seconds. The API key of a mail provider stays with the host of its baseUrl: give apiKey again to use another host. Of the channel of WEBHOOK_URL only isDefault, perSecond and concurrency can be changed.',
  ...ofChannel,
  headers: ifMatch,
  body: { schema: ChannelChangeJson },
  responses: one,
  problems: ['INVALID_HEADER', 'CHANNEL_NAME_TAKEN', 'CHANNEL_MANAGED', 'SECRET_KEY_MISSING', 'OUTDATED'],
} satisfies Operation

export const DELETE_CHANNEL = {
  operationId: 'deleteChannel',
  route: 'DELETE /channel/{id}',
  scope: 'admin',
  audit: { action: 'channel.deleted', kind: 'channel' },
  tag,
  summary: 'Delete a channel',
  description:
    'Deletes a channel and its secrets. Rejected for the default channel, and while an occasion names the channel or an open event was last sent to it. The history keeps its id.',
  ...ofChannel,
  responses: { 204: { description: 'Deleted.' } },
  problems: ['CHANNEL_MANAGED', 'CHANNEL_IN_USE'],
} satisfies Operation

export const ROTATE_SECRET = {
  operationId: 'rotateChannelSecret',
  route: 'POST /channel/{id}/rotate',
  scope: 'admin',
  audit: { action: 'secret.rotated', kind: 'channel' },
  tag,
  summary: 'Rotate the secret',
  description:
    'Replaces the secret. For webhooks, the previous secret also signs for one day, so that the receiver can change over.',
  ...ofChannel,
  body: { schema: NewSecretJson, optional: true },
  responses: { 200: { description: 'Rotated.', schema: WithSecretJson } },
  problems: ['CHANNEL_MANAGED', 'SECRET_KEY_MISSING'],
} satisfies Operation

export const TEST_CHANNEL = {
  operationId: 'testChannel',
  route: 'POST /channel/{id}/test',
  scope: 'admin',
  audit: { action: 'channel.tested', kind: 'channel' },
  tag,
  summary: 'Test a channel',
  description:
    'Sends a test message and returns the result: a signed webhook, or a mail to the address of the sender.',
  ...ofChannel,
  responses: { 200: { description: 'The result.', schema: TestedJson } },
  problems: ['CHANNEL_UNUSABLE'],
} satisfies Operation

const status = { 200: { description: 'Its status.', schema: ChannelStatusJson } }
const statuses = (description: string) => ({
  200: { description, schema: z.object({ items: z.array(ChannelStatusJson) }) },
})

export const HOLD_CHANNEL = {
  operationId: 'holdChannel',
  route: 'POST /channel/{id}/hold',
  scope: 'admin',
  audit: { action: 'channel.held', kind: 'channel' },
  tag,
  summary: 'Hold a channel',
  description:
    'Holds a channel, or the built-in inbox or handlers by their id. Its events wait until `until`, or until you release it, and are then sent, the first due first. Workers follow within seconds.',
  ...ofChannel,
  body: { schema: HoldJson, optional: true },
  responses: status,
  problems: ['CHANNEL_DISABLED'],
} satisfies Operation

export const RELEASE_CHANNEL = {
  operationId: 'releaseChannel',
  route: 'POST /channel/{id}/release',
  scope: 'admin',
  audit: { action: 'channel.released', kind: 'channel' },
  tag,
  summary: 'Release a channel',
  description:
    'Releases a held or disabled channel. Waiting events follow within seconds, on Cloudflare and AWS within two minutes.',
  ...ofChannel,
  responses: status,
} satisfies Operation

export const DISABLE_CHANNEL = {
  operationId: 'disableChannel',
  route: 'POST /channel/{id}/disable',
  scope: 'admin',
  audit: { action: 'channel.disabled', kind: 'channel' },
  tag,
  summary: 'Disable a channel',
  description: 'Disables a channel. Its events wait until it is released.',
  ...ofChannel,
  responses: one,
} satisfies Operation

export const HOLD_ALL = {
  operationId: 'holdChannels',
  route: 'POST /channel/hold',
  scope: 'admin',
  audit: { action: 'channel.held' },
  tag,
  summary: 'Hold all channels',
  description:
    'Holds every channel that is not disabled, and the built-in inbox and handlers. A channel that is created while all are held is held too.',
  body: { schema: HoldJson, optional: true },
  responses: statuses('The status of each channel, the built-in ones included.'),
} satisfies Operation

export const RELEASE_ALL = {
  operationId: 'releaseChannels',
  route: 'POST /channel/release',
  scope: 'admin',
  audit: { action: 'channel.released' },
  tag,
  summary: 'Release all channels',
  description:
    'Ends the holds of operators. A channel whose receiver rejected the credentials stays held, and a disabled one disabled.',
  responses: statuses('The channels that were held and send again.'),
} satisfies Operation
