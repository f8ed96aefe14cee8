// A row for each day with its totals. A day with problems stands out.
import { useState } from 'react'
import type { LedgerDay } from '../../api/types.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Scrollable } from '../../ui/scrollable.tsx'
import { dayText } from './day-text.ts'
import { COUNT_WORDS, COUNTS, lookOf } from './totals.tsx'

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
              {COUNTS.map((name) => (
                <th key={name} data-tip={COUNT_WORDS[name].tip} className={`${HEAD} text-right last:pr-4`}>
                  {COUNT_WORDS[name].word}
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
  return (
    <tr className={`relative hover:bg-raised ${day.missed > 0 ? 'bg-failed-wash' : ''}`}>
      <td className="whitespace-nowrap py-2 pr-3 pl-4">
        <Link
          to={`ledger/${day.day}`}
          data-row
          className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-fill"
        >
          {dayText(day.day)}
        </Link>
      </td>
      {COUNTS.map((name) => (
        <td key={name} className={`${CELL} ${lookOf(day[name], name)}`}>
          {day[name].toLocaleString('en')}
        </td>
      ))}
    </tr>
  )
}
