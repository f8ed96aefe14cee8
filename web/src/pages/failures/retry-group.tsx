// The retry of a group of failures.
import type { FailureGroup } from '../../api/types.ts'
import { RetryMessages } from '../messages/retry-messages.tsx'
import { reasonText } from './reasons.ts'

/** The group as a filter of the API. */
export function filterOf({ channelId, reason }: FailureGroup): { channel: string; exactReason: string } {
  return { channel: channelId ?? 'unknown', exactReason: reason }
}

/** After the newest failure that is shown: later ones are not part of a retry or a dismissal. */
export function endOf({ newestAt }: FailureGroup): string {
  return new Date(Date.parse(newestAt) + 1).toISOString()
}

export function RetryGroup({ group, onClose }: { group: FailureGroup; onClose: () => void }) {
  const filter = { ...filterOf(group), failedFrom: group.oldestAt, failedBefore: endOf(group) }
  return (
    <RetryMessages filter={filter} onClose={onClose}>
      <p>
        {reasonText(group.reason)} <span className="text-soft">({group.reason})</span>
      </p>
    </RetryMessages>
  )
}
