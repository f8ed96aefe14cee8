// The request of an event, which every attempt sends.
import { INBOX_CHANNEL } from '../../../../src/domain/settings/channel.ts'
import { useChannels } from '../../api/settings.ts'
import type { EventDetail } from '../../api/types.ts'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/panel.tsx'

export function Request({ event }: { event: EventDetail }) {
  const signed = useSigned(event.channelId)
  const { deliveryPayload, idempotencyKey, channel } = event
  if (deliveryPayload === null) {
    return (
      <Panel title="Request">
        <p className="text-soft">
          The message is rendered at the first attempt. Every retry sends the same bytes.
        </p>
        <p className="mt-2 font-mono text-soft text-xs">X-Idempotency-Key: {idempotencyKey}</p>
      </Panel>
    )
  }
  const isMail = typeof deliveryPayload.to === 'string'
  return (
    <Panel title="Request">
      <div className="space-y-3">
        {!isMail && (
          <Code label="Headers" copy={false}>
            {`content-type: application/json\nx-idempotency-key: ${idempotencyKey}\nwebhook-id: ${idempotencyKey}\nwebhook-timestamp: (set on each attempt)${signed === true ? '\nwebhook-signature: (set on each attempt)' : ''}`}
          </Code>
        )}
        <Code label="Body (identical in every attempt)">{JSON.stringify(deliveryPayload, null, 2)}</Code>
        {!isMail && signed === true && (
          <p className="text-soft text-xs">
            Requests to {channel} are signed over their id, timestamp and this body (Standard Webhooks).
            Verify the signature with terce/receiver. Signatures are not stored.
          </p>
        )}
        {!isMail && signed === false && (
          <p className="text-soft text-xs">Requests to {channel} are not signed: it has no secret.</p>
        )}
      </div>
    </Panel>
  )
}

/** Whether requests to the channel are signed now; null if that is not known. */
function useSigned(channelId: string | null): boolean | null {
  const channel = useChannels().data?.items.find(({ id }) => id === channelId)
  if (channelId === INBOX_CHANNEL) return true
  return channel === undefined ? null : channel.secrets.length > 0
}
