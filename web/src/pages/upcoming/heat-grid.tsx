// A year as a grid of days, one column for each week, darker for more messages.
import { type KeyboardEvent, useMemo, useRef } from 'react'
import type { Upcoming } from '../../api/types.ts'
import { count, wallAt } from '../../clock/format.ts'
import { type HeatRange, heatRanges, levelOf, rangeText } from './heat-levels.ts'
import { isoDate, yearGrid } from './year-grid.ts'

const DAY = 86_400_000
const LOOKS = ['bg-raised', 'bg-accent-fill/25', 'bg-accent-fill/45', 'bg-accent-fill/70', 'bg-accent-fill']
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 }

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
  const ref = useRef<HTMLDivElement>(null)
  const byDate = useMemo(() => new Map(days.map(({ date, count }) => [date, count])), [days])
  const ranges = useMemo(() => heatRanges([...byDate.values()]), [byDate])
  const busiestDate = busiest === undefined ? null : wallAt(Date.parse(busiest), 0).date
  // The first local date can differ from the date in UTC.
  const first = [today, ...days.slice(0, 1).map(({ date }) => date)].sort()[0]!
  const weeks = yearGrid(first)
  const isShown = weeks.some(({ dates }) => dates.includes(selected))

  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && selected !== '') onSelect('')
    const step = STEPS[event.key]
    const from = event.target instanceof HTMLElement ? event.target.dataset.date : undefined
    if (step === undefined || from === undefined) return
    event.preventDefault()
    const to = isoDate(Date.parse(from) + step * DAY)
    const cell = ref.current?.querySelector<HTMLElement>(`[data-date="${to}"]`)
    cell?.focus()
    if (cell) onSelect(to)
  }

  return (
    <div className="overflow-x-auto p-4">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside */}
      <div ref={ref} onKeyDown={move} className="grid min-w-[44rem] grid-cols-[1.75rem_1fr] gap-x-1">
        <div className="grid grid-rows-[repeat(8,1.05rem)] items-center gap-[3px] text-2xs text-soft">
          <span />
          {['Mon', '', 'Wed', '', 'Fri', '', 'Sun'].map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a weekday is identified by its position
            <span key={index} className="leading-none">
              {name}
            </span>
          ))}
        </div>
        <div
          className="grid gap-[3px]"
          style={{ gridTemplateColumns: `repeat(${weeks.length}, minmax(0, 1fr))` }}
        >
          {weeks.map(({ monday, label, dates }) => (
            <div
              key={monday}
              className="grid grid-cols-[minmax(0,1fr)] grid-rows-[repeat(8,1.05rem)] gap-[3px]"
            >
              <span data-month className="whitespace-nowrap text-2xs text-soft leading-none">
                {label}
              </span>
              {dates.map((date, index) =>
                date === null ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a weekday is identified by its position
                  <span key={index} className="h-[1.05rem]" />
                ) : (
                  <Day
                    key={date}
                    date={date}
                    count={byDate.get(date) ?? 0}
                    look={LOOKS[levelOf(byDate.get(date) ?? 0, ranges)]!}
                    isSelected={date === selected}
                    isBusiest={date === busiestDate}
                    isFocusable={date === (isShown ? selected : first)}
                    onSelect={onSelect}
                  />
                ),
              )}
            </div>
          ))}
        </div>
      </div>
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
  isFocusable: boolean
  onSelect: (day: string) => void
}

function Day({ date, count: n, look, isSelected, isBusiest, isFocusable, onSelect }: DayProps) {
  const { day, year } = wallAt(Date.parse(date), 0)
  const label = `${day} ${year}: ${n === 0 ? 'no messages' : count(n, 'message')}${isBusiest ? ', busiest minute' : ''}`
  return (
    <button
      type="button"
      data-date={date}
      data-tip={label}
      aria-label={label}
      aria-pressed={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      onClick={() => onSelect(date)}
      className={`h-[1.05rem] w-full rounded-[3px] ${look} ${isSelected ? 'outline-2 outline-ink' : ''} ${isBusiest ? 'ring-2 ring-failed-fill' : ''}`}
    />
  )
}

function Legend({ ranges, hasBusiest }: { ranges: readonly HeatRange[]; hasBusiest: boolean }) {
  return (
    <ul
      aria-label="Messages per day"
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-2xs text-soft"
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
