// The failures page: failed messages by channel and reason, and their retry.
import { useState } from 'react'
import { useEvents } from '../../api/events.ts'
import { useNames } from '../../api/people.ts'
import { useFailures } from '../../api/today.ts'
import type { FailureGroup } from '../../api/types.ts'
import { typeText } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge, Empty, Loaded, Loading, PageTitle, Panel } from '../../ui/panel.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { reasonText } from './reasons.ts'
import { filterOf, RetryGroup } from './retry-group.tsx'

export function Failures() {
  const failures = useFailures()
  return (
    <>
      <PageTitle title="Failures">
        Messages that could not be delivered in the last 30 days. You can retry them.
      </PageTitle>
      <Loaded query={failures} rows={8}>
        {({ groups }) => (
          <div className="space-y-4">
            <Panel flush>
              {groups.length === 0 ? (
                <Empty title="No failures.">
                  Every message of the last 30 days was delivered or is still being sent.
                </Empty>
              ) : (
                <ul className="divide-y divide-line">
                  {groups.map((group) => (
                    <Group key={`${group.channelId} ${group.reason}`} group={group} />
                  ))}
                </ul>
              )}
            </Panel>
          </div>
        )}
      </Loaded>
    </>
  )
}

function Group({ group }: { group: FailureGroup }) {
  const [retrying, setRetrying] = useState(false)
  const [open, setOpen] = useState(false)
  const lastDay = group.byHour.reduce((sum, n) => sum + n, 0)
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-3">
        <span className={`w-12 font-serif text-2xl ${group.count > 0 ? 'text-failed' : 'text-soft'}`}>
          {group.count.toLocaleString('en')}
        </span>
        <div className="min-w-48 flex-1">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium">{reasonText(group.reason)}</span>
            <Badge>{group.channel}</Badge>
          </p>
          <p className="text-soft text-xs">
            <span className="font-mono">{group.reason}</span>, last <Ago at={group.newestAt} />, first{' '}
            <Ago at={group.oldestAt} />
          </p>
          <Resolved group={group} />
        </div>
        <Sparkline values={group.byHour} label={`${lastDay} in the last 24 hours, by hour`} />
        <div className="flex gap-1">
          {group.count > 0 && (
            <>
              <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? 'Hide' : 'Show'}
              </Button>
              <Button data-row icon="again" onClick={() => setRetrying(true)}>
                Retry…
              </Button>
            </>
          )}
        </div>
      </div>
      {open && group.count > 0 && <Members group={group} />}
      {retrying && <RetryGroup group={group} onClose={() => setRetrying(false)} />}
    </li>
  )
}

/** `2 delivered since, 1 being retried` */
function Resolved({ group: { deliveredSince, replaying } }: { group: FailureGroup }) {
  const parts = [
    ...(deliveredSince > 0 ? [`${deliveredSince.toLocaleString('en')} delivered since`] : []),
    ...(replaying > 0 ? [`${replaying.toLocaleString('en')} being retried`] : []),
  ]
  return parts.length === 0 ? null : <p className="text-soft text-xs">{parts.join(', ')}</p>
}

function Members({ group }: { group: FailureGroup }) {
  const events = useEvents({ ...filterOf(group), status: 'FAILED', unresolved: 'true', limit: 200 })
  const shown = (events.data?.items ?? []).slice(-20).reverse()
  const names = useNames(shown.map(({ userId }) => userId))
  if (events.isPending) return <Loading rows={2} />
  return (
    <ul className="border-line border-t bg-ground py-1">
      {shown.map((event) => (
        <li key={event.id}>
          <Link
            to={`event/${event.id}`}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-4 px-4 py-1.5 pl-[5.25rem] hover:bg-raised max-md:pl-4"
          >
            <span className="truncate">
              {names.get(event.userId) ?? '…'}{' '}
              <span className="text-soft">
                {typeText(event.eventType)} {event.occurrence}
              </span>
            </span>
            <LocalTime
              at={event.targetTimestampUTC}
              local={event.targetTimestampLocal}
              timezone={event.targetTimezone}
            />
          </Link>
        </li>
      ))}
      {group.count > shown.length && shown.length > 0 && (
        <li className="px-4 py-1.5 pl-[5.25rem] text-soft max-md:pl-4">
          and {(group.count - shown.length).toLocaleString('en')} more
        </li>
      )}
    </ul>
  )
}
