// The request and the last response of an event.
import { useChannels } from '../../api/settings.ts'
import type { EventDetail } from '../../api/types.ts'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/panel.tsx'
import { curlOf } from './curl.ts'

export function Request({ event }: { event: EventDetail }) {
  const channels = useChannels().data?.items ?? []
  const sentTo = channels.find(({ id }) => id === event.channelId)
  const target = sentTo?.kind === 'webhook' ? sentTo.url : undefined
  if (event.deliveryPayload === null) {
    return (
      <Panel title="Request">
        <p className="text-soft">
          The message is rendered at the first attempt. Every retry sends the same bytes.
        </p>
        <p className="mt-2 font-mono text-soft text-xs">X-Idempotency-Key: {event.idempotencyKey}</p>
      </Panel>
    )
  }
  const body = JSON.stringify(event.deliveryPayload)
  const last = event.attempts.findLast(({ statusCode, error }) => statusCode !== null || error !== null)
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Request">
        <div className="space-y-3">
          <Code label="Headers" copy={false}>
            {`content-type: application/json\nx-idempotency-key: ${event.idempotencyKey}\nwebhook-id: ${event.idempotencyKey}\nwebhook-timestamp: (set on each attempt)\nwebhook-signature: (set on each attempt)`}
          </Code>
          <Code label="Body (identical in every attempt)">
            {JSON.stringify(event.deliveryPayload, null, 2)}
          </Code>
          <p className="text-soft text-xs">
            Each attempt is signed over its id, its timestamp and this body (Standard Webhooks). Verify the
            signature with terce/receiver. Signatures are not stored.
          </p>
        </div>
      </Panel>
      <Panel title="Response">
        <div className="space-y-3">
          {last === undefined ? (
            <p className="text-soft">No response yet.</p>
          ) : (
            <Code label={`Attempt ${last.number}`} copy={false}>
              {[last.statusCode === null ? 'No response' : `HTTP ${last.statusCode}`, last.error ?? '']
                .join('\n')
                .trim()}
            </Code>
          )}
          <Code label="As a curl command (unsigned)">
            {curlOf({ url: target ?? '$WEBHOOK_URL', key: event.idempotencyKey, body })}
          </Code>
        </div>
      </Panel>
    </div>
  )
}
