// Moves the send time of people who exist, after a dry run has counted what moves.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { moveSendTime } from '../../api/bulk.ts'
import { messageOf } from '../../api/client.ts'
import { count } from '../../clock/format.ts'
import { useAction } from '../../ui/action.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'

export function SendTimeDialog({ deliverAt, onClose }: { deliverAt: string; onClose: () => void }) {
  const [localTime, setLocalTime] = useState(deliverAt)
  const [from, setFrom] = useState('')
  const [done, setDone] = useState(0)
  const request = { localTime, ...(from !== '' && { from }) }
  const counted = useQuery({
    queryKey: ['send-time', request],
    queryFn: ({ signal }) => moveSendTime({ ...request, dryRun: true }, () => signal.throwIfAborted()),
    enabled: localTime !== '',
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { live: false },
  })
  const moving = useAction(
    () => moveSendTime({ ...request, dryRun: false }, ({ changed }) => setDone(changed)),
    {
      says: ({ changed, moved }) => `${count(changed, 'occasion')} and ${count(moved, 'message')} moved.`,
      onSettled: onClose,
    },
  )
  const found = counted.data
  return (
    <Confirm
      title="Move the send time"
      action={found === undefined ? 'Move' : `Move ${found.matched.toLocaleString('en')}`}
      busy={moving.isPending}
      disabled={!found?.matched}
      onClose={onClose}
      onConfirm={() => moving.mutate()}
    >
      <div className="grid grid-cols-2 gap-3">
        <Input
          label="New send time"
          type="time"
          required
          value={localTime}
          onChange={({ target }) => setLocalTime(target.value)}
        />
        <Input
          label="Only those sent at (optional)"
          type="time"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
          hint={from === '' ? 'Empty: all occasions.' : undefined}
        />
      </div>
      <p aria-live="polite" className="font-medium">
        {moving.isPending
          ? `${done.toLocaleString('en')} of ${found?.matched.toLocaleString('en') ?? '…'} done.`
          : counted.error !== null
            ? messageOf(counted.error)
            : localTime === ''
              ? 'Give a time.'
              : found === undefined
                ? 'Counting…'
                : whatMoves(found)}
      </p>
      <p className="text-soft">
        A message of today whose new time has passed is sent at once. One planned for next year because its
        time had passed today is planned for today if the new time is still ahead. Nothing is sent twice. New
        people get {deliverAt} (DELIVER_AT).
      </p>
    </Confirm>
  )
}

function whatMoves({
  matched,
  moved,
  inFlight,
}: {
  matched: number
  moved: number
  inFlight: number
}): string {
  const all = `${count(matched, 'occasion')} and ${count(moved, 'message')} will move.`
  return inFlight === 0 ? all : `${all} ${count(inFlight, 'message')} being sent will keep the old time.`
}
