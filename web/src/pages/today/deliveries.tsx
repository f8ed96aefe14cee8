// The latest deliveries.
import { useState } from 'react'
import type { RecentEvent } from '../../api/types.ts'
import { latencyText, typeText } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/panel.tsx'
import { StatusMark } from '../../ui/status.tsx'
import { reasonText } from '../failures/reasons.ts'

const SHOWN_AT_FIRST = 15

export function Deliveries({ recent }: { recent: readonly RecentEvent[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? recent : recent.slice(0, SHOWN_AT_FIRST)
  if (recent.length === 0) {
    return <Empty title="No messages sent yet.">Messages appear here as they are sent.</Empty>
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((event) => (
          <li key={event.id}>
            <Link
              to={`event/${event.id}`}
              data-row
              className="grid animate-arrive grid-cols-[5.5rem_minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 hover:bg-raised md:grid-cols-[5.5rem_minmax(0,1.2fr)_minmax(0,1.6fr)_7rem]"
            >
              <StatusMark status={event.status} />
              <span className="min-w-0 truncate">
                <bdi>
                  {event.firstName} {event.lastName}
                </bdi>
                <span className="text-soft">
                  {' '}
                  {typeText(event.eventType)} {event.occurrence}
                </span>
              </span>
              <span className="max-md:hidden">
                <LocalTime
                  at={event.targetTimestampUTC}
                  local={event.targetTimestampLocal}
                  timezone={event.targetTimezone}
                />
              </span>
              <span className="max-w-28 text-right text-soft text-xs">
                <Outcome event={event} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {recent.length > shown.length && (
        <div className="border-line border-t p-2 text-center">
          <Button look="quiet" onClick={() => setAll(true)}>
            Show {recent.length - shown.length} more
          </Button>
        </div>
      )}
    </>
  )
}

function Outcome({ event }: { event: RecentEvent }) {
  const { status, executedAt, targetTimestampUTC, retryCount } = event
  if (status === 'COMPLETED' && executedAt !== null) {
    const lateMs = Math.max(0, Date.parse(executedAt) - Date.parse(targetTimestampUTC))
    return <span data-tip="Time from due to delivered">{latencyText(lateMs)} delay</span>
  }
  if (status === 'FAILED') {
    const reason = event.failureReason ?? ''
    return (
      <span data-tip={reason} className="block truncate text-failed">
        {reasonText(reason)}
      </span>
    )
  }
  if (retryCount > 0) return <>retry {retryCount}</>
  return <Ago at={targetTimestampUTC} />
}
