// The operation that builds the signed request of an event, as the OpenAPI document describes it, and its handler.
import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { ChannelsDeps } from '../../app/channels/channels.ts'
import { buildRequest } from '../../app/events/signed-request.ts'
import { curlOf } from '../../domain/formats/curl.ts'
import type { KernelStore, SettingsStore } from '../../ports/store.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { mount, type Operation } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { eventNotFound, ofEvent } from './json.ts'

const RequestJson = z
  .object({
    channel: z.string().openapi({ description: 'The name of the channel.', example: 'crm' }),
    method: z.literal('POST'),
    url: z.string().openapi({ description: 'The whole URL.', example: 'https://example.com/hooks/terce' }),
    headers: z.record(z.string(), z.string()).openapi({
      description:
        'All headers. `webhook-timestamp` is the time of this call: receivers accept the signature for five minutes.',
    }),
    body: z.string().openapi({ description: 'The body, byte for byte.' }),
    curl: z.string().openapi({ description: 'The request as a curl command for a POSIX shell.' }),
  })
  .openapi('SignedRequest', { description: 'A request with a valid signature.' })

const BUILD_REQUEST = {
  operationId: 'buildRequest',
  route: 'POST /event/{id}/request',
  scope: 'admin',
  audit: { action: 'event.signed', kind: 'event' },
  tag: 'Events',
  summary: 'Build the signed request of an event',
  description:
    'Returns the request that would deliver the event now, with a new signature, and sends nothing. The URL and the signature are credentials, so this needs the scope admin and is recorded in the audit log. Only for webhooks, and from the first claim on: before that there is no body.',
  ...ofEvent,
  responses: { 200: { description: 'The request.', schema: RequestJson } },
  problems: ['NOT_RENDERED', 'NOT_A_WEBHOOK', 'CHANNEL_UNUSABLE'],
} satisfies Operation

export function mountRequest(
  api: OpenAPIHono,
  {
    channels,
    store,
    inbox,
  }: { channels: ChannelsDeps; store: KernelStore & SettingsStore; inbox: Inbox | null },
): void {
  const deps = { ...channels, store }
  mount(api, BUILD_REQUEST, async ({ c, params }) => {
    const url = inbox && `${new URL(c.req.url).origin}/inbox?token=${inbox.token}`
    const built = await buildRequest(deps, params.id, inbox && { url: url!, secrets: inbox.secrets })
    switch (built.kind) {
      case 'built': {
        const { channel, request } = built
        return c.json({ channel, method: 'POST' as const, ...request, curl: curlOf(request) })
      }
      case 'missing':
        throw eventNotFound(params)
      case 'not-rendered':
        throw new Problem(
          'NOT_RENDERED',
          'Its message is rendered when the event is first claimed. Try again then.',
        )
      case 'no-channel':
        throw new Problem(
          'NOT_A_WEBHOOK',
          'No channel is the default. Create a webhook channel with POST /channel.',
        )
      case 'not-a-webhook':
        throw new Problem(
          'NOT_A_WEBHOOK',
          `The channel ${built.channel} sends mails. Only a webhook has a request to copy.`,
        )
      case 'unusable':
        throw new Problem('CHANNEL_UNUSABLE', built.reason)
    }
  })
}
