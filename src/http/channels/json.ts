// A channel as JSON, never with the text of a secret, and the message that tests one.
import { z } from '@hono/zod-openapi'
import {
  activeSecrets,
  CHANNEL_KINDS,
  CHANNEL_STATUSES,
  type ChannelRecord,
  defaultChannel,
  ENVIRONMENT_CHANNEL,
} from '../../domain/settings/channel.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { id, idInput, instant } from '../server/fields.ts'
import { Problem } from '../server/problem.ts'

const CHANNEL_ID = '019a84f1-8c00-7000-8000-2f6d1c9d3e4a'

/** For operations on `/channel/{id}`. */
export const ofChannel = {
  params: z.object({ id: idInput('The id of the channel.', CHANNEL_ID) }),
  notFound: channelNotFound,
}

export function channelNotFound(): Problem {
  return new Problem('CHANNEL_NOT_FOUND', 'GET /channel lists those there are.')
}

export const ChannelJson = z
  .object({
    id: id('Made by the service; never changes.', CHANNEL_ID),
    name: z.string(),
    kind: z.enum(CHANNEL_KINDS),
    url: z.string().optional().openapi({ description: 'Of a webhook.' }),
    baseUrl: z.string().optional().openapi({ description: 'Of a mail provider.' }),
    from: z.string().optional().openapi({ description: 'Of a mail channel, like the two after it.' }),
    replyTo: z.string().nullable().optional(),
    listUnsubscribe: z.string().nullable().optional(),
    perSecond: z.int().nullable(),
    concurrency: z.int().nullable(),
    isDefault: z.boolean(),
    managedByEnvironment: z
      .boolean()
      .openapi({ description: 'Made by WEBHOOK_URL, and changed only there.' }),
    status: z.enum(CHANNEL_STATUSES).openapi({
      description:
        'ACTIVE sends. PAUSED keeps its events until you resume it. DISABLED fails them; they can be replayed.',
    }),
    statusReason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it is not active.', example: 'HTTP 410' }),
    secrets: z
      .array(
        z.object({
          createdAt: instant('When it was made.'),
          expiresAt: instant('When it stops signing.').nullable(),
        }),
      )
      .openapi({ description: 'The secrets in force, never their text.' }),
    version: z.int(),
    createdAt: instant('When it was set up.'),
    updatedAt: instant('When it last changed.'),
  })
  .openapi('Channel', { description: 'A named destination.' })

export function channelJson(
  channel: ChannelRecord,
  all: readonly ChannelRecord[],
  now: number,
): z.infer<typeof ChannelJson> {
  const { id, name, settings, status, statusReason, version } = channel
  return {
    id,
    name,
    ...settings,
    isDefault: defaultChannel(all)?.id === id,
    managedByEnvironment: id === ENVIRONMENT_CHANNEL,
    status,
    statusReason,
    secrets: activeSecrets(channel, now).map(({ createdAt, expiresAt }) => ({
      createdAt: formatInstant(createdAt),
      expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
    })),
    version,
    createdAt: formatInstant(channel.createdAt),
    updatedAt: formatInstant(channel.updatedAt),
  }
}

/** Shaped like the body of an event, so that a receiver can read it with the same code. */
export function testBody(channel: ChannelRecord, eventId: string): string {
  const at = formatInstant(channel.updatedAt)
  const message = 'This is a test from Terce. Nobody has a birthday.'
  const mail =
    channel.settings.kind === 'webhook'
      ? {}
      : {
          to: addressOf(channel.settings.from),
          toName: '',
          subject: 'A test from Terce',
          text: message,
          html: null,
        }
  return JSON.stringify({
    eventId,
    type: 'TEST',
    message,
    userId: eventId,
    occurrence: 'test',
    targetTimestampUTC: at,
    targetTimestampLocal: at,
    timezone: 'Etc/UTC',
    lateBySeconds: 0,
    ...mail,
  })
}

/** `hello@example.com` of `Terce <hello@example.com>`: a test mail goes to whoever sends. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
}
