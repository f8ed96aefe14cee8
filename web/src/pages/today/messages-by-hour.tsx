// Messages of 12 hours back and 12 hours ahead, one bar for each quarter of an hour.
import type { WaveStep } from '../../api/types.ts'
import { count, fromNow, offsetText, utcText, wallAt } from '../../clock/format.ts'
import { Link } from '../../router.tsx'
import { messagesPath } from '../messages/filter.ts'
import { BAR_MS, type Bar, barsOf, periodOfBar, totalOf } from './bars.ts'

const HOUR = 3_600_000
const SPAN_MS = 24 * HOUR
/** A pixel less than a quarter of an hour, so that neighbours stay apart. */
const BAR_WIDTH = `calc(${(BAR_MS / SPAN_MS) * 100}% - 1px)`

const PARTS = [
  { part: 'remaining', word: 'scheduled', look: 'bg-scheduled' },
  { part: 'failed', word: 'failed', look: 'bg-failed-fill' },
  { part: 'inFlight', word: 'in progress', look: 'bg-sending-fill' },
  { part: 'sent', word: 'sent', look: 'bg-sent-fill' },
] as const

export function MessagesByHour({ wave, now }: { wave: readonly WaveStep[]; now: number }) {
  const from = now - SPAN_MS / 2
  const shown = barsOf(wave, { from, before: from + SPAN_MS })
  const most = Math.max(0, ...shown.map(totalOf))
  // Square root scale: one message must remain visible beside a thousand.
  const heightOf = (bar: Bar, part: number) => {
    const whole = totalOf(bar)
    return part === 0 ? 0 : `max(3px, ${(part / whole) * Math.sqrt(whole / most) * 100}%)`
  }
  const percent = (at: number) => `${((at - from) / SPAN_MS) * 100}%`
  const threeHourly = Array.from({ length: 8 }, (_, i) => (Math.ceil(from / (3 * HOUR)) + i) * 3 * HOUR)
  // A label is about an hour wide and must not stick out at either end.
  const ticks = threeHourly.filter((tick) => tick > from + HOUR / 2 && tick < from + SPAN_MS - HOUR / 2)
  return (
    <div>
      <div className="relative h-24">
        {most > 1 && (
          <span className="absolute top-0 left-0 text-2xs text-soft" data-tip="The largest bar">
            {count(most, 'message')}
          </span>
        )}
        {shown.map((bar) => (
          <Link
            key={bar.from}
            to={messagesPath({ period: periodOfBar(bar) })}
            aria-label={tipOf(bar, now).replaceAll('\n', ', ')}
            data-tip={tipOf(bar, now)}
            data-bar
            className="absolute bottom-0 flex h-full flex-col justify-end hover:brightness-110"
            style={{ left: percent(bar.from), width: BAR_WIDTH }}
          >
            {PARTS.map(({ part, look }) => (
              <div
                key={part}
                className={`${look} first:rounded-t-xs`}
                style={{ height: heightOf(bar, bar[part]) }}
              />
            ))}
          </Link>
        ))}
        {shown.length === 0 && (
          <p className="absolute inset-0 grid place-items-center text-soft">No messages in this window.</p>
        )}
        <div className="absolute inset-y-0 left-1/2 w-px bg-accent-fill" />
      </div>
      <div className="relative h-6 border-line-strong border-t text-2xs text-soft">
        {ticks.map((tick, index) => (
          <span
            key={tick}
            className={`-translate-x-1/2 absolute top-1 whitespace-nowrap ${index % 2 === 1 ? 'max-md:hidden' : ''}`}
            style={{ left: percent(tick) }}
          >
            {utcText(tick)}
          </span>
        ))}
      </div>
    </div>
  )
}

export function MessagesByHourLegend() {
  return (
    <span className="flex flex-wrap gap-x-3">
      {[...PARTS].reverse().map(({ part, word, look }) => (
        <span key={part} className="inline-flex items-center gap-1.5">
          <span className={`size-2 rounded-xs ${look}`} />
          {word}
        </span>
      ))}
    </span>
  )
}

function tipOf(bar: Bar, now: number): string {
  const { first, last, offsets } = bar
  const clocks = [...offsets].map((offset) => `${wallAt(first, offset).time} at ${offsetText(offset)}`)
  const theirs = clocks.length > 2 ? `${clocks.length} offsets` : clocks.join(' and ')
  const parts = [...PARTS]
    .reverse()
    .flatMap(({ part, word }) => (bar[part] === 0 ? [] : [`${bar[part].toLocaleString('en')} ${word}`]))
  const utc = first === last ? utcText(first) : `${utcText(first)} to ${utcText(last)}`
  return `${theirs} (${utc}), ${fromNow(first, now)}\n${parts.join(', ')}`
}
