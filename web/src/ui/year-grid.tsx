// A year as a grid of days, one column for each week. The arrow keys move between the days; one of them is in the tab order.
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { isoDate, yearWeeks } from './year-weeks.ts'

const DAY = 86_400_000
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 }

/** The size and the shape of a day. */
export const DAY_CELL = 'h-[1.05rem] w-full rounded-[3px]'

type YearGridProps = {
  /** `2026-11-15`: the first of a year and a day. */
  first: string
  label: string
  /** The day in the tab order, if the grid has it; otherwise `fallback`. */
  current: string
  fallback: string
  /** A day that can be reached by keyboard has `data-date` and the tab index. */
  day: (date: string, tabIndex: 0 | -1) => ReactNode
  /** An arrow key has moved the focus to this day. */
  onMove: (date: string) => void
  /** Whether a narrow screen shows the last days first. */
  showsEnd?: boolean
}

export function YearGrid({ first, label, current, fallback, day, onMove, showsEnd = false }: YearGridProps) {
  const ref = useRef<HTMLFieldSetElement>(null)
  const weeks = yearWeeks(first)
  const inTabOrder = weeks.some(({ dates }) => dates.includes(current)) ? current : fallback

  useLayoutEffect(() => {
    const frame = ref.current?.parentElement
    if (showsEnd && frame) frame.scrollLeft = frame.scrollWidth
  }, [showsEnd])

  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const from = event.target instanceof HTMLElement ? event.target.dataset.date : undefined
    if (step === undefined || from === undefined) return
    event.preventDefault()
    const days = weeks.length * 7
    // Days that cannot be reached are skipped.
    for (let steps = 1; Math.abs(steps * step) <= days; steps++) {
      const to = isoDate(Date.parse(from) + steps * step * DAY)
      const cell = ref.current?.querySelector<HTMLElement>(`[data-date="${to}"]`)
      if (!cell) continue
      cell.focus()
      return onMove(to)
    }
  }

  return (
    <div className="overflow-x-auto p-1">
      <fieldset
        ref={ref}
        aria-label={label}
        onKeyDown={move}
        className="grid min-w-[44rem] grid-cols-[1.75rem_1fr] gap-x-1"
      >
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
                  day(date, date === inTabOrder ? 0 : -1)
                ),
              )}
            </div>
          ))}
        </div>
      </fieldset>
    </div>
  )
}
