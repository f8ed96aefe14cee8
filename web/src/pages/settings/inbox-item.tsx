// The built-in inbox in the list of channels.
import { INBOX_CHANNEL } from '../../../../src/domain/settings/channel.ts'
import { makeInboxDefault, useChannelHealth } from '../../api/settings.ts'
import { Link } from '../../router.tsx'
import { useAction } from '../../ui/action.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Badge } from '../../ui/panel.tsx'
import { DetailsLink, HoldButton, ProbeButton, StatusBadge } from './channel-state.tsx'

/** `isAlone` in the panel of the inbox. */
export function InboxItem({ isAlone = false }: { isAlone?: boolean }) {
  const inbox = useChannelHealth(INBOX_CHANNEL).data
  const choosing = useAction(makeInboxDefault, { says: 'The inbox is the default channel.' })
  if (inbox === undefined) return null
  return (
    <li className="space-y-2 px-4 py-3">
      <div>
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">inbox</span>
          <Badge>built in</Badge>
          {inbox.isDefault && <Badge tone="accent">default</Badge>}
          <StatusBadge channel={inbox} />
        </p>
        <p className="text-soft text-xs">Keeps messages in memory, for development.</p>
      </div>
      <div className="flex flex-wrap gap-1">
        {!isAlone && <DetailsLink id={inbox.id} />}
        <Link to="inbox" className={buttonClass()}>
          Open inbox
        </Link>
        <ProbeButton channel={inbox} />
        {!inbox.isDefault && (
          <Button busy={choosing.isPending} onClick={() => choosing.mutate()}>
            Make default
          </Button>
        )}
        <HoldButton channel={inbox} />
      </div>
    </li>
  )
}
