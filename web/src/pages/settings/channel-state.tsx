// Whether a channel sends, as a badge, and the buttons to hold its messages and to try its destination.
import { useState } from 'react'
import { probeChannel, switchChannel } from '../../api/settings.ts'
import type { ChannelStatus } from '../../api/settings-types.ts'
import { now } from '../../clock/now.ts'
import { Link } from '../../router.tsx'
import { probedText, releaseText } from '../../shell/stopped-text.ts'
import { useAction } from '../../ui/action.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Badge } from '../../ui/panel.tsx'
import { HoldDialog } from '../today/hold.tsx'

type Stated = {
  id: string
  name: string
  status: ChannelStatus
  statusReason: string | null
  downSince: string | null
}

export function StatusBadge({ channel }: { channel: Stated }) {
  const { status, downSince } = channel
  if (status === 'ACTIVE')
    return downSince === null ? <Badge tone="sent">active</Badge> : <Badge tone="failed">down</Badge>
  return <Badge tone="failed">{status === 'HELD' ? 'held' : 'switched off'}</Badge>
}

/** Leads from the list to the panel of the channel. */
export function DetailsLink({ id }: { id: string }) {
  return (
    <Link to={`settings/channels?channel=${id}`} className={buttonClass()}>
      Details
    </Link>
  )
}

export function HoldButton({ channel }: { channel: Stated }) {
  const [isOpen, setIsOpen] = useState(false)
  const releasing = useAction(() => switchChannel(channel.id, 'release'))
  return channel.status === 'ACTIVE' ? (
    <>
      <Button icon="pause" onClick={() => setIsOpen(true)}>
        Hold…
      </Button>
      {isOpen && <HoldDialog channel={channel} onClose={() => setIsOpen(false)} />}
    </>
  ) : (
    <Button icon="play" busy={releasing.isPending} onClick={() => releasing.mutate()}>
      {releaseText(channel)}
    </Button>
  )
}

/** Only while the destination is down. */
export function ProbeButton({ channel }: { channel: Stated }) {
  const probing = useAction(() => probeChannel(channel.id), {
    says: (health) => probedText(health, now()),
  })
  if (channel.status !== 'ACTIVE' || channel.downSince === null) return null
  return (
    <Button icon="again" busy={probing.isPending} onClick={() => probing.mutate()}>
      Probe now
    </Button>
  )
}
