// Sending a group of failures again, after the server has said what that would do.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/client.ts'
import { replayAll } from '../api/events.ts'
import { renewAll } from '../api/renew.ts'
import type { FailureGroup, ReplayParts } from '../api/types.ts'
import { count } from '../clock/format.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Choices } from '../ui/field.tsx'
import { complain, say } from '../ui/toast.tsx'
import { reasonText } from './reasons.ts'

/** What the server calls this group. */
export function filterOf({ channelId, reason }: FailureGroup): { channel: string; exactReason: string } {
  return { channel: channelId ?? 'default', exactReason: reason }
}

export function RetryGroup({ group, onClose }: { group: FailureGroup; onClose: () => void }) {
  const client = useQueryClient()
  const [late, setLate] = useState<'skip' | 'send'>('skip')
  // To the end of what is shown: what fails from now on is for another time.
  const failedBefore = new Date(Date.parse(group.newestAt) + 1).toISOString()
  const filter = { ...filterOf(group), failedFrom: group.oldestAt, failedBefore }
  const counted = useQuery({
    queryKey: ['replay', filter],
    queryFn: () => replayAll({ ...filter, dryRun: true }),
    gcTime: 0,
    staleTime: 0,
    meta: { live: false },
  })
  const retrying = useMutation({
    mutationFn: () => replayAll({ ...filter, pastCutOff: late }),
    onSuccess: ({ replayed }) => say(`${count(replayed, 'event')} planned again, due now.`),
    onError: complain,
    onSettled: () => {
      void renewAll(client)
      onClose()
    },
  })
  const found = counted.data
  const past = found === undefined ? 0 : pastCutOff(found.parts)
  const sendable = found === undefined ? 0 : found.parts.now + (late === 'send' ? past : 0)
  return (
    <Confirm
      title={found === undefined ? 'Retry?' : `Retry ${found.matched.toLocaleString('en')}?`}
      action={found === undefined ? 'Counting…' : `Retry ${sendable.toLocaleString('en')} now`}
      busy={retrying.isPending}
      disabled={sendable === 0}
      onConfirm={() => retrying.mutate()}
      onClose={onClose}
    >
      <p>
        {reasonText(group.reason)} <span className="text-soft">({group.reason})</span>
      </p>
      <p aria-live="polite" className="font-medium text-base">
        {counted.error !== null
          ? messageOf(counted.error)
          : found === undefined
            ? 'Counting what can be sent.'
            : breakdown(found.parts)}
      </p>
      {past > 0 && (
        <Choices
          label="Those past their hour"
          value={late}
          onChange={setLate}
          choices={[
            { value: 'skip', label: 'Leave out the late ones' },
            { value: 'send', label: 'Send them as well' },
          ]}
        />
      )}
      <p className="text-soft">
        Same bytes, same keys: a receiver that did get one of them drops it as a repetition.
      </p>
    </Confirm>
  )
}

function pastCutOff(parts: ReplayParts): number {
  return parts.pastCutOff.reduce((sum, { count: n }) => sum + n, 0)
}

/** `31 now, 5 past 21:00 their time, 2 delivered since.` */
function breakdown(parts: ReplayParts): string {
  const told = [
    `${parts.now.toLocaleString('en')} now`,
    ...parts.pastCutOff.map(
      ({ notAfter, count: n }) => `${n.toLocaleString('en')} past ${notAfter} their time`,
    ),
    part(parts.underWay, 'under way already'),
    part(parts.delivered, 'delivered since'),
    part(parts.repeated, 'failed more than once'),
  ]
  return `${told.filter((one) => one !== '').join(', ')}.`
}

function part(n: number, what: string): string {
  return n === 0 ? '' : `${n.toLocaleString('en')} ${what}`
}
