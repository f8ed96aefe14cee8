// Holds the messages of all channels until a time, or until they are released.
import { useState } from 'react'
import { BUILT_IN } from '../../../../src/domain/settings/channel.ts'
import { useMayManage } from '../../api/session.ts'
import { hold, releaseAll, useChannels } from '../../api/settings.ts'
import type { Today } from '../../api/types.ts'
import { now } from '../../clock/now.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'

/** The button to hold, unless nothing is left to hold, and the one to release what an operator holds. The notice above the page names the channels. */
export function Hold({ today }: { today: Today }) {
  const [isOpen, setIsOpen] = useState(false)
  const releasing = useAction(releaseAll, { says: 'Released. Messages that waited are sent now.' })
  const mayManage = useMayManage()
  const held = today.stoppedChannels.filter(
    ({ status, statusReason }) => status === 'HELD' && statusReason === null,
  )
  const isAnyHeld = held.length > 0
  const channels = useChannels({ enabled: mayManage && isAnyHeld }).data?.items
  // Without a default channel, messages go to a built-in one, which is not in the list.
  const isBuiltInHeld = held.some(({ id }) => BUILT_IN.has(id))
  const isAnySending =
    channels?.some(({ status }) => status === 'ACTIVE') ||
    (channels?.every(({ isDefault }) => !isDefault) && !isBuiltInHeld)
  if (!mayManage) return null
  return (
    <>
      {(!isAnyHeld || isAnySending) && (
        <Button icon="pause" onClick={() => setIsOpen(true)}>
          Hold messages…
        </Button>
      )}
      {isAnyHeld && (
        <Button icon="play" busy={releasing.isPending} onClick={() => releasing.mutate()}>
          Release all
        </Button>
      )}
      {isOpen && <HoldDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

const HOURS = [1, 2, 4, 8, 24]

type HoldDialogProps = {
  /** Omitted for all channels. */
  channel?: { id: string; name: string }
  onClose: () => void
}

export function HoldDialog({ channel, onClose }: HoldDialogProps) {
  const [hours, setHours] = useState('1')
  const holding = useAction(() => hold(channel?.id ?? null, hours === '' ? null : inHours(Number(hours))), {
    says: channel === undefined ? 'All messages are held.' : `The messages of ${channel.name} are held.`,
    onSettled: onClose,
  })
  return (
    <Confirm
      title={channel === undefined ? 'Hold messages' : `Hold the messages of ${channel.name}`}
      action={channel === undefined ? 'Hold all messages' : 'Hold'}
      busy={holding.isPending}
      onClose={onClose}
      onConfirm={() => holding.mutate()}
    >
      <p>
        Messages of {channel?.name ?? 'all channels'} that fall due wait, and nothing is dropped. At the end
        they are sent, the first due first. You can release them before.
      </p>
      <Select label="For" value={hours} onChange={({ target }) => setHours(target.value)}>
        {HOURS.map((hour) => (
          <option key={hour} value={hour}>
            {hour === 1 ? '1 hour' : `${hour} hours`}
          </option>
        ))}
        <option value="">Until released</option>
      </Select>
    </Confirm>
  )
}

function inHours(hours: number): string {
  return new Date(now() + hours * 3_600_000).toISOString()
}
