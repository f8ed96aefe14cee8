// A time as all pages show it: local time first, then UTC, and the reader's own time on hover.
import { Dial } from './dial.tsx'
import {
  cityOf,
  fromNow,
  offsetIn,
  offsetOfLocal,
  offsetText,
  readerTimeText,
  utcText,
  wallAt,
} from './format.ts'
import { useNow, useNowFor } from './now.ts'

type LocalTimeProps = {
  /** An instant as ISO 8601 or milliseconds. */
  at: string | number
  timezone: string
  /** As in the API: `2026-12-15T09:00:00-07:00`. Without it the time zone table gives the offset. */
  local?: string | undefined
  seconds?: boolean
  /** Whether to show the city. */
  place?: boolean
  dial?: boolean
  stacked?: boolean
}

export function LocalTime(props: LocalTimeProps) {
  const { timezone, local, seconds = false, place = true, dial = true, stacked = false } = props
  const instant = toMs(props.at)
  const offset = local === undefined ? offsetIn(timezone, instant) : offsetOfLocal(local)
  const wall = wallAt(instant, offset)
  const thisYear = wallAt(useNow(3_600_000), offset).year
  const year = wall.year === thisYear ? '' : ` ${wall.year}`
  const utc = utcText(instant, wall.date, seconds)
  return (
    <time
      dateTime={new Date(instant).toISOString()}
      data-tip={`Your time: ${readerTimeText(instant)}\n${timezone}, ${offsetText(offset)}`}
      className={`inline-flex gap-x-1.5 ${stacked ? 'items-start' : 'flex-wrap items-baseline [&>svg]:self-center'}`}
    >
      {dial && <Dial minuteOfDay={wall.minuteOfDay} />}
      <span className={stacked ? 'flex flex-col leading-tight' : 'contents'}>
        <span className="whitespace-nowrap">
          <span className="font-semibold">{seconds ? wall.timeWithSeconds : wall.time}</span> {wall.day}
          {year}
          {place && !stacked && <span className="text-soft"> {cityOf(timezone)}</span>}
        </span>
        <span className="whitespace-nowrap text-soft text-xs">
          {utc}
          {place && stacked && ` ${cityOf(timezone)}`}
        </span>
      </span>
    </time>
  )
}

/** A relative time, optionally with UTC; the reader's own time on hover. */
export function Ago({ at, utc = false }: { at: string | number; utc?: boolean }) {
  const instant = toMs(at)
  const now = useNowFor(instant)
  const { day, timeWithSeconds } = wallAt(instant, 0)
  return (
    <time
      dateTime={new Date(instant).toISOString()}
      data-tip={`${day} ${timeWithSeconds}Z\nYour time: ${readerTimeText(instant)}`}
      className="whitespace-nowrap"
    >
      {fromNow(instant, now)}
      {utc && <span className="text-soft"> {utcText(instant, wallAt(now, 0).date)}</span>}
    </time>
  )
}

function toMs(at: string | number): number {
  return typeof at === 'number' ? at : Date.parse(at)
}
