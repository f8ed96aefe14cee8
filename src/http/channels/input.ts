// The bodies of requests that create or change a channel.
import { z } from '@hono/zod-openapi'
import { instantInput } from '../../api/fields.ts'

const limit = (description: string) =>
  z.int().min(1).max(100_000).nullable().optional().openapi({ description, example: 50 })
const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Must be 1 to 63 lower-case letters, digits or hyphens, such as crm.')
  .openapi({ description: 'The name of the channel, unique.', example: 'crm' })
const isDefault = z.boolean().optional().openapi({
  description:
    'Makes this the default channel, for occasions that name no channel. The most recent one is used.',
})
const limits = {
  perSecond: limit('Maximum deliveries per second, over all workers; null for no limit.'),
  concurrency: limit(
    'Maximum concurrent deliveries, over all workers; null for no limit (SMTP: 5 in each process).',
  ),
}
const allowPlaintext = z.boolean().openapi({
  description: 'True to send over the internet to an SMTP server without TLS. Default: false.',
  example: false,
})
const url = z.string().max(2_000).openapi({ example: 'https://example.com/hooks/terce' })
const mail = {
  from: z
    .string()
    .max(400)
    .openapi({ description: 'The sender address.', example: 'Terce <hello@example.com>' }),
  replyTo: z.string().max(400).nullable().optional(),
  listUnsubscribe: z.string().max(2_000).nullable().optional().openapi({
    description: 'The unsubscribe link; {userId} is replaced with the id of the person.',
    example: 'https://example.com/leave/{userId}',
  }),
}
const secret = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(2_000)
    .openapi({ description: `${description} Stored encrypted, never returned.`, example })

const server = secret(
  'The URL of the SMTP server with user name and password.',
  'smtps://user:pass@mail.example.com',
)
const apiKey = secret('The API key of the provider.', 're_123456789')
const signing = secret('Your own signing secret. If left out, one is generated and returned once.', 'whsec_…')
const baseUrl = z.string().max(2_000).openapi({ example: 'https://api.resend.com' })

export const NewChannelJson = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('webhook'),
      name,
      url,
      secret: signing.optional(),
      isDefault,
      ...limits,
    }),
    z.strictObject({
      kind: z.literal('smtp'),
      name,
      server,
      allowPlaintext: allowPlaintext.optional(),
      isDefault,
      ...mail,
      ...limits,
    }),
    z.strictObject({
      kind: z.literal('resend'),
      name,
      apiKey,
      baseUrl: baseUrl.optional(),
      isDefault,
      ...mail,
      ...limits,
    }),
  ])
  .openapi('NewChannel', {
    example: { kind: 'webhook', name: 'crm', url: 'https://example.com/hooks/terce', isDefault: true },
  })

export const ChannelChangeJson = z
  .strictObject({
    name: name.optional(),
    url: url.optional(),
    baseUrl: baseUrl.optional(),
    apiKey: apiKey.optional(),
    from: mail.from.optional(),
    replyTo: mail.replyTo,
    listUnsubscribe: mail.listUnsubscribe,
    allowPlaintext: allowPlaintext.optional(),
    ...limits,
    isDefault: isDefault.openapi({
      description:
        'True makes this the default channel, false ends that: messages then go to the default channel before it, else to the inbox, and wait where there is neither.',
    }),
  })
  .openapi('ChannelChange', { example: { perSecond: 50 } })

export const HoldJson = z
  .strictObject({
    until: instantInput(
      'When the hold ends: within a year. Left out, it ends when the channel is released.',
      'INVALID_INSTANT',
    ).nullable(),
  })
  .openapi('ChannelHold', { example: { until: '2026-12-15T14:00:00Z' } })

export const NewSecretJson = z
  .strictObject({ secret: z.string().min(1).max(2_000).optional() })
  .openapi('NewSecret', {
    description: 'The new signing secret, SMTP URL or API key. If left out, a webhook gets a generated one.',
    example: {},
  })
