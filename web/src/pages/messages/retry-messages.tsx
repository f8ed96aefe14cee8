// Confirms the retry of failed messages, after a dry run has counted them.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../api/client.ts'
import { replayAll } from '../../api/events.ts'
import type { ReplayFilter, ReplayParts } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { useAction } from '../../ui/action.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Choices } from '../../ui/field.tsx'

type RetryMessagesProps = {
  filter: ReplayFilter
  /** Which messages they are. */
  children: ReactNode
  onClose: () => void
  onRetried?: () => void
}

export function RetryMessages({ filter, children, onClose, onRetried }: RetryMessagesProps) {
  const [late, setLate] = useState<'skip' | 'send'>('skip')
  const counted = useQuery({
    queryKey: ['replay', filter],
    queryFn: () => replayAll({ ...filter, dryRun: true }),
    gcTime: 0,
    staleTime: 0,
    meta: { live: false },
  })
  const retrying = useAction(() => replayAll({ ...filter, pastCutOff: late }), {
    says: ({ replayed }) => `Retrying ${count(replayed, 'message')}.`,
    onSuccess: () => onRetried?.(),
    onSettled: onClose,
  })
  const found = counted.data
  const past = found === undefined ? 0 : pastCutOff(found.parts)
  const sendable = found === undefined ? 0 : found.parts.now + (late === 'send' ? past : 0)
  return (
    <Confirm
      title={titleOf(found?.matched ?? 0, sendable)}
      action={
        found === undefined
          ? 'Counting…'
          : sendable === 0
            ? 'Retry'
            : `Retry ${sendable.toLocaleString('en')} now`
      }
      busy={retrying.isPending}
      disabled={sendable === 0}
      onConfirm={() => retrying.mutate()}
      onClose={onClose}
    >
      {children}
      <p aria-live="polite" className="font-medium text-base">
        {counted.error !== null
          ? messageOf(counted.error)
          : found === undefined
            ? 'Counting…'
            : breakdown(found.parts)}
      </p>
      {past > 0 && (
        <Choices
          label="Messages past their cut-off time"
          value={late}
          onChange={setLate}
          choices={{ skip: 'Skip late messages', send: 'Send them too' }}
        />
      )}
      <p className="text-soft">
        Each retry has the same content and idempotency key, so receivers can ignore duplicates.
      </p>
    </Confirm>
  )
}

/** `Retry 3 messages?`, or `Retry 2 of 3 messages?` if the others cannot be retried now. */
function titleOf(matched: number, sendable: number): string {
  if (sendable === 0) return 'Retry messages?'
  const some = sendable < matched ? `${sendable.toLocaleString('en')} of ` : ''
  return `Retry ${some}${count(matched, 'message')}?`
}

function pastCutOff(parts: ReplayParts): number {
  return parts.pastCutOff.reduce((sum, { count: n }) => sum + n, 0)
}

/** `31 can be retried now, 5 past 21:00 local time, 2 delivered later.` */
function breakdown(parts: ReplayParts): string {
  const rest = [
    ...parts.pastCutOff.map(({ notAfter, count: n }) => part(n, `past ${notAfter} local time`)),
    part(parts.inFlight, 'already being retried'),
    part(parts.delivered, 'delivered later'),
    part(parts.repeated, 'failed more than once'),
  ].filter((one) => one !== '')
  if (parts.now === 0 && pastCutOff(parts) === 0)
    return rest.length === 0 ? 'Nothing to retry.' : `Nothing left to retry: ${rest.join(', ')}.`
  return `${[`${parts.now.toLocaleString('en')} can be retried now`, ...rest].join(', ')}.`
}

function part(n: number, text: string): string {
  return n === 0 ? '' : `${n.toLocaleString('en')} ${text}`
}
