// The retry of a group of failures.
import type { FailureGroup } from '../../api/types.ts'
import { RetryMessages } from '../messages/retry-messages.tsx'
import { reasonText } from './reasons.ts'

/** The group as a filter of the API. */
export function filterOf({ channelId, reason }: FailureGroup): { channel: string; exactReason: string } {
  return { channel: channelId ?? 'unknown', exactReason: reason }
}

export function RetryGroup({ group, onClose }: { group: FailureGroup; onClose: () => void }) {
  // Up to the newest failure shown: later ones are not part of this retry.
  const failedBefore = new Date(Date.parse(group.newestAt) + 1).toISOString()
  const filter = { ...filterOf(group), failedFrom: group.oldestAt, failedBefore }
  return (
    <RetryMessages filter={filter} onClose={onClose}>
      <p>
        {reasonText(group.reason)} <span className="text-soft">({group.reason})</span>
      </p>
    </RetryMessages>
  )
}
