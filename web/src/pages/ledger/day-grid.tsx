// The last year, a cell for each day. A day with an account opens it.
import { useMemo, useState } from 'react'
import type { LedgerDay } from '../../api/types.ts'
import { wallAt } from '../../clock/format.ts'
import { useNow } from '../../clock/now.ts'
import { Link } from '../../router.tsx'
import { DAY_CELL, YearGrid } from '../../ui/year-grid.tsx'
import { isoDate } from '../../ui/year-weeks.ts'
import { STATES, stateOf, totalsText } from './day-state.ts'
import { dayText } from './day-text.ts'

const YEAR_MS = 366 * 86_400_000

export function DayGrid({ days }: { days: readonly LedgerDay[] }) {
  const byDate = useMemo(() => new Map(days.map((day) => [day.day, day])), [days])
  const today = wallAt(useNow(3_600_000), 0).date
  const [current, setCurrent] = useState('')
  return (
    <div className="p-3">
      <YearGrid
        first={isoDate(Date.parse(today) - YEAR_MS)}
        label="Days of the last year"
        current={current}
        fallback={days[0]?.day ?? ''}
        onMove={setCurrent}
        showsEnd
        day={(date, tabIndex) => (
          <Day key={date} date={date} account={byDate.get(date)} tabIndex={tabIndex} />
        )}
      />
      <Legend />
    </div>
  )
}

type DayProps = { date: string; account: LedgerDay | undefined; tabIndex: 0 | -1 }

function Day({ date, account, tabIndex }: DayProps) {
  const { look, sign } = STATES[stateOf(account)]
  if (account === undefined)
    return <span data-tip={`${dayText(date)}: no account`} className={`${DAY_CELL} ${look}`} />
  const label = `${dayText(date)}: ${totalsText(account)}`
  return (
    <Link
      to={`ledger/${date}`}
      data-date={date}
      data-tip={label}
      aria-label={label}
      tabIndex={tabIndex}
      className={`${DAY_CELL} ${look} grid place-items-center font-bold text-xs leading-none`}
    >
      {sign}
    </Link>
  )
}

function Legend() {
  return (
    <ul aria-label="Legend" className="mt-3 flex flex-wrap gap-x-4 gap-y-1 px-1 text-2xs text-soft">
      {Object.values(STATES).map(({ text, look, sign }) => (
        <li key={text} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={`grid size-3 place-items-center rounded-[3px] font-bold leading-none ${look}`}
          >
            {sign}
          </span>
          {text}
        </li>
      ))}
    </ul>
  )
}
