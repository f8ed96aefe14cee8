// Replays a failed event, with the same idempotency key or with a new one.
import { replayEvent } from '../../api/events.ts'
import type { EventDetail } from '../../api/types.ts'
import { navigate } from '../../router.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'

export function Replay({ event }: { event: EventDetail }) {
  const sending = useAction((newKey: boolean) => replayEvent(event.id, newKey), {
    says: 'Scheduled again, due now.',
    onSuccess: ({ id }) => navigate(`event/${id}`),
  })
  if (event.status !== 'FAILED') return null
  const open = event.replays.find(({ status }) => status !== 'FAILED')
  if (open !== undefined) return null
  return (
    <section className="grid gap-px overflow-hidden rounded-lg border border-failed/40 bg-failed/40 md:grid-cols-2">
      <Choice
        title="Retry"
        action="Retry (same key)"
        busy={sending.isPending}
        primary
        onClick={() => sending.mutate(false)}
      >
        Sends the same content with the same idempotency key. A receiver that already has the message
        recognises the duplicate and ignores it.
      </Choice>
      <Choice
        title="Send again"
        action="Send again (new key)"
        busy={sending.isPending}
        onClick={() => sending.mutate(true)}
      >
        Re-rendered with a new key; receivers treat it as a new message, even if the first one arrived. Use it
        if the text was wrong or the receiver lost the message.
      </Choice>
    </section>
  )
}

type ChoiceProps = {
  title: string
  action: string
  busy: boolean
  primary?: boolean
  onClick: () => void
  children: string
}

function Choice({ title, action, busy, primary = false, onClick, children }: ChoiceProps) {
  return (
    <div className="flex flex-col items-start gap-2 bg-panel p-4">
      <h2 className="font-medium">{title}</h2>
      <p className="flex-1 text-soft">{children}</p>
      <Button look={primary ? 'primary' : 'plain'} icon="again" busy={busy} onClick={onClick}>
        {action}
      </Button>
    </div>
  )
}
