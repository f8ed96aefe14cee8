// A row for each day with its totals. A day with unexplained or surplus messages says so beside its date.
import { useState } from 'react'
import type { LedgerDay } from '../../api/types.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/panel.tsx'
import { Scrollable } from '../../ui/scrollable.tsx'
import { alarmsOf, onTime } from './day-state.ts'
import { dayText } from './day-text.ts'

const COLUMNS: readonly { name: string; tip: string; of: (day: LedgerDay) => number; alarms?: true }[] = [
  { name: 'Owed', tip: 'Messages that were due on this day', of: ({ owed }) => owed },
  { name: 'On time', tip: 'Delivered within a minute after they were due', of: onTime },
  { name: 'Late', tip: 'Delivered more than a minute after they were due', of: ({ late }) => late },
  { name: 'Early', tip: 'Claimed before they were due', of: ({ early }) => early },
  { name: 'Failed', tip: 'Could not be delivered', of: ({ failed }) => failed },
  {
    name: 'Excused',
    tip: 'Not sent, for a recorded reason such as a pause or a deletion',
    of: ({ excused }) => excused,
  },
  { name: 'Open', tip: 'Not settled when the day was closed', of: ({ open }) => open },
  {
    name: 'Unexplained',
    tip: 'Owed, and nothing recorded explains what became of them',
    of: ({ unexplained }) => unexplained,
    alarms: true,
  },
  { name: 'Surplus', tip: 'Sent, but not owed', of: ({ surplus }) => surplus, alarms: true },
]

const HEAD = 'whitespace-nowrap px-3 py-2 font-normal text-soft text-xs'
const CELL = 'whitespace-nowrap px-3 py-2 text-right last:pr-4'
/** Two months; the rest is shown on demand. */
const SHOWN = 62

export function DayTable({ days }: { days: readonly LedgerDay[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? days : days.slice(0, SHOWN)
  return (
    <>
      <Scrollable label="Days">
        <table className="w-full border-collapse">
          <thead className="border-line border-b">
            <tr>
              <th className={`${HEAD} pl-4 text-left`}>Day</th>
              {COLUMNS.map(({ name, tip }) => (
                <th key={name} data-tip={tip} className={`${HEAD} text-right last:pr-4`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {shown.map((day) => (
              <Row key={day.day} day={day} />
            ))}
          </tbody>
        </table>
      </Scrollable>
      {shown.length < days.length && (
        <div className="border-line border-t px-4 py-2">
          <Button look="quiet" onClick={() => setAll(true)}>
            Show all {days.length} days
          </Button>
        </div>
      )}
    </>
  )
}

function Row({ day }: { day: LedgerDay }) {
  const alarms = day.state === 'closed' ? alarmsOf(day) : []
  return (
    <tr className={`relative hover:bg-raised ${alarms.length > 0 ? 'bg-failed-wash' : ''}`}>
      <td className="whitespace-nowrap py-2 pr-3 pl-4">
        <Link
          to={`ledger/${day.day}`}
          data-row
          className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-fill"
        >
          {dayText(day.day)}
        </Link>
        {alarms.map((text) => (
          <span key={text} className="ml-2">
            <Badge tone="failed">! {text}</Badge>
          </span>
        ))}
      </td>
      {day.state === 'closing' ? (
        <td colSpan={COLUMNS.length} className="px-3 py-2 text-soft">
          Being closed: the account is being computed.
        </td>
      ) : (
        COLUMNS.map(({ name, of, alarms }) => (
          <td key={name} className={`${CELL} ${lookOf(of(day), alarms === true)}`}>
            {of(day).toLocaleString('en')}
          </td>
        ))
      )}
    </tr>
  )
}

function lookOf(n: number, alarms: boolean): string {
  if (n === 0) return 'text-soft'
  return alarms ? 'font-semibold text-failed' : ''
}
