// A row for each day with its totals. A day with unexplained or surplus messages says so beside its date.
import { useState } from 'react'
import { SHOWN_COUNTS } from '../../../../src/domain/ledger/line.ts'
import type { LedgerDay } from '../../api/types.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/panel.tsx'
import { Scrollable } from '../../ui/scrollable.tsx'
import { alarmsOf } from './day-state.ts'
import { dayText } from './day-text.ts'
import { lookOf } from './totals.tsx'

const TIPS: Record<(typeof SHOWN_COUNTS)[number], string> = {
  owed: 'Messages that were due on this day, or open before it',
  delivered: 'Delivered: on time, late or early',
  late: 'Of the delivered: more than a minute after they were due',
  early: 'Of the delivered: claimed before they were due',
  failed: 'Could not be delivered',
  excused: 'Not sent, for a recorded reason such as a pause or a deletion',
  open: 'Not settled when the day was closed',
  unexplained: 'Owed, and nothing recorded explains what became of them',
  surplus: 'Sent, but not owed',
}

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
              {SHOWN_COUNTS.map((name) => (
                <th key={name} data-tip={TIPS[name]} className={`${HEAD} text-right capitalize last:pr-4`}>
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
        <td colSpan={SHOWN_COUNTS.length} className="px-3 py-2 text-soft">
          Being closed: the account is being computed.
        </td>
      ) : (
        SHOWN_COUNTS.map((name) => (
          <td key={name} className={`${CELL} ${lookOf(day[name], name)}`}>
            {day[name].toLocaleString('en')}
          </td>
        ))
      )}
    </tr>
  )
}
