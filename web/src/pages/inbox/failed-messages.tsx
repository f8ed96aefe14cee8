// Messages that failed during the simulated outage, and their retry.
import { useQuery } from '@tanstack/react-query'
import { INBOX_CHANNEL } from '../../../../src/domain/settings/channel.ts'
import { replayAll, replayEvent } from '../../api/events.ts'
import { KEYS } from '../../api/query-keys.ts'
import { useFailures, useToday } from '../../api/today.ts'
import { count } from '../../clock/format.ts'
import { useNow } from '../../clock/now.ts'
import { Link } from '../../router.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { useEventDetails } from './pending-deliveries.tsx'

const HOUR_MS = 60 * 60_000
const CODE = 'RETRIES_EXHAUSTED'

/** One hour ago, rounded to the minute. */
function useOneHourAgo(): string {
  return new Date(Math.floor((useNow(60_000) - HOUR_MS) / 60_000) * 60_000).toISOString()
}

/** How many messages to the inbox failed within the last hour and can be retried, and the retry. */
export function useRecentFailures(): { retryable: number; retry: () => Promise<number> } {
  const failedFrom = useOneHourAgo()
  const any = useFailures().data?.groups.some(
    ({ channelId, reason, newestAt, count }) =>
      channelId === INBOX_CHANNEL && count > 0 && reason.startsWith(CODE) && newestAt >= failedFrom,
  )
  const filter = { reason: CODE, channel: INBOX_CHANNEL, failedFrom }
  const counted = useQuery({
    queryKey: [...KEYS.events, 'retryable', failedFrom],
    queryFn: () => replayAll({ ...filter, dryRun: true }),
    enabled: any === true,
  })
  const retryable = any === true ? (counted.data?.parts.now ?? 0) : 0
  return { retryable, retry: async () => (await replayAll(filter)).replayed }
}

export function FailedMessages({ isOutage }: { isOutage: boolean }) {
  const since = Date.parse(useOneHourAgo())
  const failed = (useToday().data?.recent ?? []).filter(
    ({ failureCode, executedAt }) =>
      failureCode === 'RETRIES_EXHAUSTED' && executedAt !== null && Date.parse(executedAt) > since,
  )
  const details = useEventDetails(failed)
  const shown = details.filter(({ replays }) => replays.every(({ status }) => status === 'FAILED'))
  const retrying = useAction((id: string) => replayEvent(id, false), { says: 'Retrying with the same key.' })
  if (shown.length === 0) return null
  return (
    <ul aria-label="Failed messages" className="mt-3 space-y-2">
      {shown.map((event) => (
        <li
          key={event.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-failed/40 bg-panel px-4 py-2"
        >
          <span>
            <Link to={`event/${event.id}`} className="font-medium hover:underline">
              {event.name}
            </Link>{' '}
            <span className="text-soft">
              failed after {count(event.attempts.length, 'attempt')}. Nothing is lost: a retry sends the same
              content.
            </span>
          </span>
          <Button
            look={isOutage ? 'plain' : 'primary'}
            icon="again"
            busy={retrying.isPending}
            onClick={() => retrying.mutate(event.id)}
          >
            Retry (same key)
          </Button>
        </li>
      ))}
    </ul>
  )
}
