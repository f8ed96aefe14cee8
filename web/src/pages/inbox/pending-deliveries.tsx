// Deliveries in progress, with their attempts and the attempts left.

import { useQueries } from '@tanstack/react-query'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { readEvent, useEvents } from '../../api/events.ts'
import { KEYS } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { useWaitsFor } from '../../api/today.ts'
import type { EventDetail } from '../../api/types.ts'
import { count, latencyText } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useNow } from '../../clock/now.ts'
import { Link } from '../../router.tsx'
import { AttemptStrip } from '../event/attempts.tsx'
import { nextTryAt, waitsForChannel } from '../event/next-try.ts'

const SHOWN = 5

type Listed = { id: string; firstName: string; lastName: string | null }

/** The first events of a list with their attempts and names, as far as loaded. */
export function useEventDetails(events: readonly Listed[]): (EventDetail & { name: string })[] {
  const shown = events.slice(0, SHOWN)
  return useQueries({
    queries: shown.map(({ id }) => ({
      queryKey: KEYS.event(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => readEvent(id, signal),
    })),
    combine: (results) =>
      results.flatMap(({ data }, index) => {
        const listed = shown[index]
        return data === undefined || listed === undefined ? [] : [{ ...data, name: fullName(listed) }]
      }),
  })
}

export function PendingDeliveries({ isOutage }: { isOutage: boolean }) {
  // Due ones may wait unclaimed, because their channel is held or down.
  const dueBefore = new Date((Math.ceil(useNow(60_000) / 60_000) + 1) * 60_000).toISOString()
  const events = useEvents({ status: 'PENDING,PROCESSING', dueBefore, limit: 50 })
  const details = useEventDetails(events.data?.items ?? [])
  const waitsFor = useWaitsFor()
  // It is sent when its channel sends again: its wake time is only a fallback.
  const isWaiting = (event: EventDetail) => waitsForChannel(event) || waitsFor(event) !== undefined
  const shown = details.filter((event) => event.status === 'PROCESSING' || waitsFor(event) !== undefined)
  if (shown.length === 0) {
    return isOutage ? (
      <p className="mt-3 text-soft">No deliveries in progress. Messages appear here when they are due.</p>
    ) : null
  }
  const rest = (events.data?.items.length ?? 0) - shown.length
  return (
    <ul aria-label="Pending deliveries" className="mt-4 space-y-2">
      {shown.map((event) => (
        <li key={event.id} className="rounded-md border border-line bg-panel px-4 pt-2">
          <p className="flex flex-wrap justify-between gap-x-4">
            <Link to={`event/${event.id}`} className="font-medium hover:underline">
              {event.name}
            </Link>
            <span className="text-soft">
              {count(event.attempts.length, 'attempt')}, same key
              {isWaiting(event) && ', waits for its channel'}
              {!isWaiting(event) && <NextTry at={nextTryAt(event)} />}
            </span>
          </p>
          <AttemptStrip event={event} />
          <AttemptsLeft event={event} />
        </li>
      ))}
      {rest > 0 && <li className="text-soft">and {rest} more</li>}
    </ul>
  )
}

function NextTry({ at }: { at: string | null }) {
  if (at === null) return null
  return (
    <>
      , next <Ago at={at} />
    </>
  )
}

const END = {
  message: 'After that the message fails, and you can retry it.',
  reminder: 'After that it is tried once an hour until its task is due.',
}

/** How many attempts are left if the outage continues, and until when. */
function AttemptsLeft({ event }: { event: EventDetail }) {
  const now = useNow(1_000)
  const retries = useSession().data?.retries
  if (retries === undefined || event.wakeAt === null || event.attempts.length === 0) return null
  if (waitsForChannel(event)) {
    return <p className="mb-2 text-soft">The receiver is down. Waiting for it does not use up attempts.</p>
  }
  const left = retries.length - event.retryCount + 1
  if (left < 1) return <p className="mb-2 text-soft">Tried once an hour until its task is due.</p>
  const waits = retries.slice(event.retryCount).reduce((sum, ms) => sum + ms, 0)
  const untilMs = Math.max(0, Date.parse(event.wakeAt) - now) + waits
  return (
    <p className="mb-2 text-soft">
      {count(left, 'attempt')} left, the last in{' '}
      {latencyText(Math.ceil(untilMs / 1_000) * 1_000).replace('.0 s', ' s')} at the earliest.{' '}
      {END[event.eventType === 'TASK_REMINDER' ? 'reminder' : 'message']}
    </p>
  )
}
