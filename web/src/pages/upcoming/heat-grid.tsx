// The year grid of upcoming messages: darker days have more messages.
import { useMemo } from 'react'
import type { Upcoming } from '../../api/types.ts'
import { count, wallAt } from '../../clock/format.ts'
import { DAY_CELL, YearGrid } from '../../ui/year-grid.tsx'
import { type HeatRange, heatRanges, levelOf, rangeText } from './heat-levels.ts'

const LOOKS = ['bg-raised', 'bg-accent-fill/25', 'bg-accent-fill/45', 'bg-accent-fill/70', 'bg-accent-fill']

type HeatGridProps = {
  days: Upcoming['days']
  /** `2026-11-15` */
  today: string
  /** Empty if no day is selected. */
  selected: string
  onSelect: (day: string) => void
  busiest: string | undefined
}

export function HeatGrid({ days, today, selected, onSelect, busiest }: HeatGridProps) {
  const byDate = useMemo(() => new Map(days.map(({ date, count }) => [date, count])), [days])
  const ranges = useMemo(() => heatRanges([...byDate.values()]), [byDate])
  const busiestDate = busiest === undefined ? null : wallAt(Date.parse(busiest), 0).date
  // The first local date can differ from the date in UTC.
  const first = [today, ...days.slice(0, 1).map(({ date }) => date)].sort()[0]!
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape ends the selection from any of the buttons inside
    <div className="p-3" onKeyDown={({ key }) => key === 'Escape' && selected !== '' && onSelect('')}>
      <YearGrid
        first={first}
        label="Messages per day"
        current={selected}
        fallback={first}
        onMove={onSelect}
        day={(date, tabIndex) => (
          <Day
            key={date}
            date={date}
            count={byDate.get(date) ?? 0}
            look={LOOKS[levelOf(byDate.get(date) ?? 0, ranges)]!}
            isSelected={date === selected}
            isBusiest={date === busiestDate}
            tabIndex={tabIndex}
            onSelect={onSelect}
          />
        )}
      />
      <Legend ranges={ranges} hasBusiest={busiestDate !== null} />
    </div>
  )
}

type DayProps = {
  date: string
  count: number
  look: string
  isSelected: boolean
  isBusiest: boolean
  tabIndex: 0 | -1
  onSelect: (day: string) => void
}

function Day({ date, count: n, look, isSelected, isBusiest, tabIndex, onSelect }: DayProps) {
  const { day, year } = wallAt(Date.parse(date), 0)
  const label = `${day} ${year}: ${n === 0 ? 'no messages' : count(n, 'message')}${isBusiest ? ', busiest minute' : ''}`
  return (
    <button
      type="button"
      data-date={date}
      data-tip={label}
      aria-label={label}
      aria-pressed={isSelected}
      tabIndex={tabIndex}
      onClick={() => onSelect(date)}
      className={`${DAY_CELL} ${look} ${isSelected ? 'outline-2 outline-ink' : ''} ${isBusiest ? 'ring-2 ring-failed-fill' : ''}`}
    />
  )
}

function Legend({ ranges, hasBusiest }: { ranges: readonly HeatRange[]; hasBusiest: boolean }) {
  return (
    <ul
      aria-label="Messages per day"
      className="mt-3 flex flex-wrap items-center gap-x-3 px-1 gap-y-1 text-2xs text-soft"
    >
      <li>Messages per day:</li>
      {[{ text: '0', level: 0 }, ...ranges.map((range) => ({ ...range, text: rangeText(range) }))].map(
        ({ text, level }) => (
          <li key={level} className="inline-flex items-center gap-1.5">
            <span className={`size-2.5 rounded-[3px] ${LOOKS[level]}`} />
            {text}
          </li>
        ),
      )}
      {hasBusiest && (
        <li className="inline-flex items-center gap-1.5">
          <span className="size-2.5 rounded-[3px] ring-2 ring-failed-fill" /> contains the busiest minute
        </li>
      )}
    </ul>
  )
}
