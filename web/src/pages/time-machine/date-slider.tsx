// A slider over the coming years with a mark for each message; exceptions stand out.
import { wallAt } from '../../clock/format.ts'
import { LAST_YEAR } from './forecast.ts'

const DAY = 86_400_000

type DateSliderProps = {
  from: number
  value: number
  onChange: (at: number) => void
  marks: readonly { instant: number; notes: readonly unknown[] }[]
}

export function DateSlider({ from, value, onChange, marks }: DateSliderProps) {
  const until = Date.UTC(LAST_YEAR, 11, 31)
  const percent = (at: number) => `${((at - from) / (until - from)) * 100}%`
  const within = marks.filter(({ instant }) => instant <= until)
  const firstYear = wallAt(from, 0).year + 1
  const years = Array.from({ length: LAST_YEAR - firstYear + 1 }, (_, i) => firstYear + i)
  const { day, year } = wallAt(value, 0)
  return (
    <div className="px-1">
      <div className="relative mx-2 h-4" aria-hidden="true">
        {within.map(({ instant, notes }) => (
          <span
            key={instant}
            className={`-translate-x-1/2 absolute bottom-0 w-0.5 rounded-full ${notes.length > 0 ? 'h-4 bg-accent-fill' : 'h-2 bg-line-strong'}`}
            style={{ left: percent(instant) }}
          />
        ))}
      </div>
      <input
        type="range"
        aria-label="Preview date"
        aria-valuetext={`${day} ${year}`}
        min={0}
        max={Math.floor((until - from) / DAY)}
        step={1}
        value={Math.round((value - from) / DAY)}
        onChange={({ target }) => onChange(from + Number(target.value) * DAY)}
        className="slider block w-full"
      />
      <div className="relative mx-2 h-4 text-2xs text-soft" aria-hidden="true">
        {years
          .filter((_, index) => index % 3 === 0)
          .map((one) => (
            <span
              key={one}
              className="-translate-x-1/2 absolute"
              style={{ left: percent(Date.UTC(one, 0, 1)) }}
            >
              {one}
            </span>
          ))}
      </div>
    </div>
  )
}
