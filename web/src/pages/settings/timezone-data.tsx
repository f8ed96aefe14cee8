// The time zone data release, and re-planning of events after its rules changed.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/client.ts'
import { replan, useTimezones } from '../../api/settings.ts'
import type { Timezones } from '../../api/settings-types.ts'
import { count, wallAt } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Badge, Loaded, Panel } from '../../ui/panel.tsx'
import { Scrollable } from '../../ui/scrollable.tsx'

const STATES: Record<Timezones['state'], { word: string; tone: 'sent' | 'accent' | 'failed'; text: string }> =
  {
    CURRENT: { word: 'up to date', tone: 'sent', text: 'All events are scheduled with this release.' },
    REPLAN_DUE: {
      word: 'rules changed',
      tone: 'accent',
      text: 'Events in these time zones were scheduled with an earlier release. Re-plan to move the upcoming ones.',
    },
    UNRECORDED: {
      word: 'not recorded',
      tone: 'accent',
      text: 'The release that events were scheduled with is not recorded. Re-plan to check everyone.',
    },
    TABLE_OLDER: {
      word: 'outdated',
      tone: 'failed',
      text: 'Events were scheduled with a newer release than this server has. Upgrade the server.',
    },
  }

export function TimezoneData() {
  const timezones = useTimezones()
  const [applying, setApplying] = useState(false)
  return (
    <Panel title="Time zone data">
      <Loaded query={timezones} rows={3}>
        {({ version, recorded, state, differs, lastChange }) => {
          const { word, tone, text } = STATES[state]
          return (
            <div className="space-y-3">
              <p className="flex flex-wrap items-center gap-3">
                <span className="font-serif text-2xl">tz {version}</span>
                <Badge tone={tone}>{word}</Badge>
                {recorded.length > 0 && (
                  <span className="text-soft">events scheduled with {recorded.join(', ')}</span>
                )}
              </p>
              <p className="text-soft">{text}</p>
              {differs.length > 0 && <Differences differs={differs} />}
              {lastChange !== null && (
                <p className="text-soft">
                  Rules last changed <Ago at={lastChange.at} utc />, from tz {lastChange.from}:{' '}
                  {lastChange.zones.join(', ')}.
                </p>
              )}
              {(state === 'REPLAN_DUE' || state === 'UNRECORDED') && (
                <Button look="primary" onClick={() => setApplying(true)}>
                  Re-plan…
                </Button>
              )}
            </div>
          )
        }}
      </Loaded>
      {applying && <Apply onClose={() => setApplying(false)} />}
    </Panel>
  )
}

function Differences({ differs }: { differs: Timezones['differs'] }) {
  return (
    <Scrollable label="Differences">
      <table className="w-full">
        <thead className="text-left text-soft text-xs">
          <tr>
            <th className="py-1 pr-4 font-normal">Time zone</th>
            <th className="py-1 pr-4 font-normal">Before</th>
            <th className="py-1 pr-4 font-normal">After</th>
            <th className="py-1 font-normal">Since</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {differs.slice(0, 20).map(({ zone, from, to, since, offsetFrom, offsetTo }) => {
            const at = wallAt(Date.parse(since), 0)
            return (
              <tr key={zone}>
                <td className="py-1.5 pr-4">{zone}</td>
                <td className="py-1.5 pr-4 font-mono text-xs">
                  {offsetFrom} <span className="text-soft">({from})</span>
                </td>
                <td className="py-1.5 pr-4 font-mono text-accent text-xs">
                  {offsetTo} <span className="text-soft">({to})</span>
                </td>
                <td className="whitespace-nowrap py-1.5">
                  {at.day} {at.year} {at.time}Z
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scrollable>
  )
}

function Apply({ onClose }: { onClose: () => void }) {
  const counted = useQuery({
    queryKey: ['replan'],
    queryFn: () => replan(true),
    gcTime: 0,
    staleTime: 0,
    meta: { live: false },
  })
  const applying = useAction(() => replan(false), {
    says: ({ moved, complete }) =>
      `${count(moved, 'event')} rescheduled.${complete ? '' : ' The others follow in the background.'}`,
    onSettled: onClose,
  })
  const found = counted.data
  return (
    <Confirm
      title="Re-plan events with the current rules?"
      action={found === undefined ? 'Counting…' : `Reschedule ${found.moved.toLocaleString('en')}`}
      busy={applying.isPending}
      disabled={found === undefined}
      onClose={onClose}
      onConfirm={() => applying.mutate()}
    >
      <p aria-live="polite" className="font-medium">
        {counted.error !== null
          ? messageOf(counted.error)
          : found === undefined
            ? 'Counting…'
            : `${found.complete ? '' : 'At least '}${count(found.moved, 'event')} will be rescheduled, ${count(found.unmoved, 'event')} will keep their time.`}
      </p>
      <ul className="space-y-1 text-soft">
        {(found?.zones ?? []).slice(0, 8).map(({ zone, people, moved }) => (
          <li key={zone}>
            {zone}: {count(moved, 'event')} of {count(people, 'person', 'people')}
          </li>
        ))}
      </ul>
    </Confirm>
  )
}
