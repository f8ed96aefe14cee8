// The request of an event, which every attempt sends, and the same request as a signed curl command.
import { buildRequest } from '../../api/events.ts'
import type { EventDetail } from '../../api/types.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/panel.tsx'

export function Request({ event }: { event: EventDetail }) {
  const signing = useAction(() => buildRequest(event.id), {
    refetches: [],
    // A page that is not served over HTTPS has no clipboard: the command is shown with its own button.
    says: () => (navigator.clipboard === undefined ? '' : 'Copied. The signature is valid for 5 minutes.'),
    onSuccess: ({ curl }) => void navigator.clipboard?.writeText(curl),
  })
  const { deliveryPayload, idempotencyKey } = event
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
    <Panel
      title="Request"
      aside={
        isMail ? undefined : (
          <Button look="quiet" icon="copy" busy={signing.isPending} onClick={() => signing.mutate()}>
            Copy as curl
          </Button>
        )
      }
    >
      <div className="space-y-3">
        {signing.data !== undefined && (
          <Code label={`Signed request to ${signing.data.channel}, valid for 5 minutes`}>
            {signing.data.curl}
          </Code>
        )}
        {!isMail && (
          <Code label="Headers" copy={false}>
            {`content-type: application/json\nx-idempotency-key: ${idempotencyKey}\nwebhook-id: ${idempotencyKey}\nwebhook-timestamp: (set on each attempt)\nwebhook-signature: (set on each attempt)`}
          </Code>
        )}
        <Code label="Body (identical in every attempt)">{JSON.stringify(deliveryPayload, null, 2)}</Code>
        {!isMail && (
          <p className="text-soft text-xs">
            Each attempt is signed over its id, its timestamp and this body (Standard Webhooks). Verify the
            signature with terce/receiver. Signatures are not stored.
          </p>
        )}
      </div>
    </Panel>
  )
}
