// A year as a grid of days, one column for each week, darker for more messages.
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react'
import type { Upcoming } from '../../api/types.ts'
import { count, wallAt } from '../../clock/format.ts'

const DAY = 86_400_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const LEVELS = ['bg-raised', 'bg-accent-fill/25', 'bg-accent-fill/45', 'bg-accent-fill/70', 'bg-accent-fill']

type HeatGridProps = {
  days: Upcoming['days']
  /** `2026-11-15` */
  today: string
  selected: string
  onSelect: (day: string) => void
  busiest: string | undefined
}

export function HeatGrid({ days, today, selected, onSelect, busiest }: HeatGridProps) {
  const ref = useRef<HTMLDivElement>(null)
  const byDate = useMemo(() => new Map(days.map(({ date, count }) => [date, count])), [days])
  const most = Math.max(1, ...byDate.values())
  const busiestDate = busiest === undefined ? null : wallAt(Date.parse(busiest), 0).date
  // The first local date can differ from the date in UTC.
  const first = Math.min(Date.parse(today), ...days.slice(0, 1).map(({ date }) => Date.parse(date)))
  const start = first - weekday(first) * DAY
  const weeks = Math.ceil((first + 367 * DAY - start) / (7 * DAY))
  const mondays = Array.from({ length: weeks }, (_, week) => start + week * 7 * DAY)
  const focusable = byDate.has(selected) || selected !== '' ? selected : today

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 }
    const step = steps[event.key]
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
      <div ref={ref} onKeyDown={move} className="grid min-w-[52rem] grid-cols-[1.75rem_1fr] gap-x-1">
        <div className="grid grid-rows-[repeat(8,1.05rem)] items-center gap-[3px] text-2xs text-soft">
          <span />
          {['Mon', '', 'Wed', '', 'Fri', '', 'Sun'].map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a weekday is identified by its position
            <span key={index} className="leading-none">
              {name}
            </span>
          ))}
        </div>
        <div className="grid gap-[3px]" style={{ gridTemplateColumns: `repeat(${weeks}, minmax(0, 1fr))` }}>
          {mondays.map((monday) => (
            <Week key={monday} monday={monday}>
              {(date) => {
                const at = Date.parse(date)
                if (at < first || at > first + 366 * DAY) return <span key={date} className="h-[1.05rem]" />
                const n = byDate.get(date) ?? 0
                const { day, year } = wallAt(at, 0)
                const label = `${day} ${year}: ${n === 0 ? 'no messages' : count(n, 'message')}${date === busiestDate ? ', busiest minute' : ''}`
                return (
                  <button
                    key={date}
                    type="button"
                    data-date={date}
                    data-tip={label}
                    aria-label={label}
                    aria-pressed={date === selected}
                    tabIndex={date === focusable ? 0 : -1}
                    onClick={() => onSelect(date)}
                    className={`h-[1.05rem] w-full rounded-[3px] ${LEVELS[levelOf(n, most)]} ${date === selected ? 'outline-2 outline-ink' : ''} ${date === busiestDate ? 'ring-2 ring-failed-fill' : ''}`}
                  />
                )
              }}
            </Week>
          ))}
        </div>
      </div>
      <p className="mt-3 flex items-center gap-1.5 text-2xs text-soft">
        fewer
        {LEVELS.map((level) => (
          <span key={level} className={`size-2.5 rounded-[3px] ${level}`} />
        ))}
        more
        {busiestDate !== null && (
          <>
            <span className="ml-3 size-2.5 rounded-[3px] ring-2 ring-failed-fill" /> contains the busiest
            minute
          </>
        )}
      </p>
    </div>
  )
}

function Week(props: { monday: number; children: (date: string) => ReactNode }) {
  const dates = Array.from({ length: 7 }, (_, day) => isoDate(props.monday + day * DAY))
  const firstOfMonth = dates.find((date) => date.endsWith('-01'))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] grid-rows-[repeat(8,1.05rem)] gap-[3px]">
      <span className="whitespace-nowrap text-2xs text-soft leading-none">
        {firstOfMonth === undefined ? '' : MONTHS[Number(firstOfMonth.slice(5, 7)) - 1]}
      </span>
      {dates.map(props.children)}
    </div>
  )
}

function isoDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** 0 for Monday. */
function weekday(at: number): number {
  return (new Date(at).getUTCDay() + 6) % 7
}

function levelOf(n: number, most: number): number {
  return n === 0 ? 0 : Math.min(4, 1 + Math.floor((Math.sqrt(n) / Math.sqrt(most)) * 3.01))
}
