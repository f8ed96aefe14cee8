// The failures page: failed messages by channel and reason, and their retry.
import { Fragment, useState } from 'react'
import { useEvent, useEvents } from '../../api/events.ts'
import { dismissFailures, useFailures } from '../../api/today.ts'
import type { FailureGroup } from '../../api/types.ts'
import { Ago } from '../../clock/local-time.tsx'
import { Link } from '../../router.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Empty, Loaded, Loading, PageTitle, Panel } from '../../ui/panel.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { offerUndo } from '../../ui/toast.tsx'
import { messagesPath } from '../messages/filter.ts'
import { MessageRow } from '../messages/message-row.tsx'
import { reasonText } from './reasons.ts'
import { endOf, filterOf, RetryGroup } from './retry-group.tsx'

export function Failures() {
  const failures = useFailures()
  return (
    <>
      <PageTitle title="Failures">
        Messages that could not be delivered in the last 30 days. Retry them, or dismiss those that need
        nothing.
      </PageTitle>
      <Loaded query={failures} rows={8}>
        {({ groups }) => (
          <div className="space-y-4">
            <Panel flush>
              {groups.length === 0 ? (
                <Empty title="No failures.">
                  Every message of the last 30 days was delivered, is still being sent, or its failure was
                  dismissed.
                </Empty>
              ) : (
                <ul className="divide-y divide-line overflow-hidden rounded-lg">
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
  const dismissing = useDismissal(group)
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
          <Button
            look="quiet"
            busy={dismissing.isPending}
            data-tip={
              'Hides these failures here and in the counts.\nThe group shows again when another message fails.'
            }
            onClick={() => dismissing.mutate(endOf(group))}
          >
            Dismiss
          </Button>
        </div>
      </div>
      {open && group.count > 0 && <Members group={group} />}
      {retrying && <RetryGroup group={group} onClose={() => setRetrying(false)} />}
    </li>
  )
}

/** Dismisses the group up to an instant. Undo restores what was dismissed of it before. */
function useDismissal(group: FailureGroup) {
  const restoring = useAction((to: string | null) => dismissFailures(group, to))
  return useAction((to: string) => dismissFailures(group, to), {
    onSuccess: ({ previous }) =>
      offerUndo({
        text: 'Failures dismissed.',
        commit: async () => {},
        onUndo: () => restoring.mutate(previous),
      }),
  })
}

/** `2 delivered since, 1 being retried` */
function Resolved({ group: { deliveredSince, replaying } }: { group: FailureGroup }) {
  const parts = [
    ...(deliveredSince > 0 ? [`${deliveredSince.toLocaleString('en')} delivered since`] : []),
    ...(replaying > 0 ? [`${replaying.toLocaleString('en')} being retried`] : []),
  ]
  return parts.length === 0 ? null : <p className="text-soft text-xs">{parts.join(', ')}</p>
}

const SHOWN = 10

function Members({ group }: { group: FailureGroup }) {
  const events = useEvents({
    ...filterOf(group),
    order: 'newest',
    status: 'FAILED',
    unresolved: 'true',
    limit: SHOWN,
  })
  const shown = events.data?.items ?? []
  if (events.isPending) return <Loading rows={2} />
  return (
    <div className="border-line border-t bg-ground py-1">
      <ul>
        {shown.map((event) => (
          <Fragment key={event.id}>
            <MessageRow message={event} isGrouped />
            <LastResponse id={event.id} />
          </Fragment>
        ))}
      </ul>
      {group.count > shown.length && shown.length > 0 && (
        <Link
          to={messagesPath({ state: 'unresolved', channel: filterOf(group).channel })}
          className="block px-4 py-1.5 text-accent hover:underline"
        >
          The newest {shown.length} of {group.count.toLocaleString('en')}. All failures of this channel
        </Link>
      )}
    </div>
  )
}

/** The status and the body that the last attempt got, as far as they are stored. */
function LastResponse({ id }: { id: string }) {
  const last = useEvent(id, { live: false }).data?.attempts.at(-1)
  if (last === undefined) return null
  const { statusCode, error, response } = last
  const body = response?.body.trim() ?? ''
  return (
    <li className="flex gap-x-3 px-4 pb-2 font-mono text-xs md:pl-[7.5rem]">
      <span className="shrink-0 text-failed">{statusCode ?? error ?? 'No response'}</span>
      <span className="line-clamp-2 min-w-0 break-words text-soft">
        {response === null ? 'No response stored' : body === '' ? '(no body)' : body}
      </span>
    </li>
  )
}
