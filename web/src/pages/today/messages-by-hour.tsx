// Messages of 12 hours back and 12 hours ahead, one bar for each due time.
import type { WaveStep } from '../../api/types.ts'
import { durationText, offsetText, utcText, wallAt } from '../../clock/format.ts'
import { Link } from '../../router.tsx'
import { messagesPath } from '../messages/query.ts'

const HOUR = 3_600_000
const SPAN_MS = 24 * HOUR

const PARTS = [
  { part: 'toCome', word: 'scheduled', look: 'bg-scheduled' },
  { part: 'failed', word: 'failed', look: 'bg-failed-fill' },
  { part: 'inFlight', word: 'sending', look: 'bg-sending-fill' },
  { part: 'sent', word: 'sent', look: 'bg-sent-fill' },
] as const

export function MessagesByHour({ wave, now }: { wave: readonly WaveStep[]; now: number }) {
  const from = now - SPAN_MS / 2
  const shown = groupByDueTime(wave).filter(({ at }) => at >= from && at <= from + SPAN_MS)
  // Square root scale: one message must remain visible beside a thousand.
  const most = Math.sqrt(Math.max(1, ...shown.map(totalOf)))
  const heightOf = (step: Step, part: number) => {
    const whole = totalOf(step)
    return part === 0 ? 0 : `max(3px, ${(part / whole) * (Math.sqrt(whole) / most) * 100}%)`
  }
  const percent = (at: number) => `${((at - from) / SPAN_MS) * 100}%`
  const threeHourly = Array.from({ length: 8 }, (_, i) => (Math.ceil(from / (3 * HOUR)) + i) * 3 * HOUR)
  // A label is about an hour wide and must not stick out at either end.
  const ticks = threeHourly.filter((tick) => tick > from + HOUR / 2 && tick < from + SPAN_MS - HOUR / 2)
  return (
    <div>
      <div className="relative h-24">
        {shown.map((step) => (
          <Link
            key={step.at}
            to={messagesPath({ due: `${new Date(step.at).toISOString().slice(0, 16)}Z` })}
            aria-label={tipOf(step, now).replaceAll('\n', ', ')}
            data-tip={tipOf(step, now)}
            className="-translate-x-1/2 absolute bottom-0 flex h-full w-3 flex-col justify-end hover:brightness-110 max-md:w-1.5"
            style={{ left: percent(step.at) }}
          >
            {PARTS.map(({ part, look }) => (
              <div
                key={part}
                className={`${look} first:rounded-t-sm`}
                style={{ height: heightOf(step, step[part]) }}
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

type Step = Pick<WaveStep, 'sent' | 'inFlight' | 'failed' | 'toCome'> & { at: number; offsets: Set<number> }

/** One bar for each due time. Two offsets share a bar only if a message was sent out of schedule. */
function groupByDueTime(wave: readonly WaveStep[]): Step[] {
  const steps = new Map<number, Step>()
  for (const { offsetMinutes, dueAt, sent, inFlight, failed, toCome } of wave) {
    const at = Date.parse(dueAt)
    const blank = { at, offsets: new Set<number>(), sent: 0, inFlight: 0, failed: 0, toCome: 0 }
    const step = steps.get(at) ?? blank
    step.offsets.add(offsetMinutes)
    step.sent += sent
    step.inFlight += inFlight
    step.failed += failed
    step.toCome += toCome
    steps.set(at, step)
  }
  return [...steps.values()].filter((step) => totalOf(step) > 0)
}

function totalOf({ sent, inFlight, failed, toCome }: Step): number {
  return sent + inFlight + failed + toCome
}

function tipOf(step: Step, now: number): string {
  const { at, offsets } = step
  const clocks = [...offsets].map((offset) => `${wallAt(at, offset).time} at ${offsetText(offset)}`)
  const theirs = clocks.length > 2 ? `${clocks.length} offsets` : clocks.join(' and ')
  const parts = [...PARTS]
    .reverse()
    .flatMap(({ part, word }) => (step[part] === 0 ? [] : [`${step[part]} ${word}`]))
  const when = at > now ? `in ${durationText(at - now)}` : `${durationText(now - at)} ago`
  return `${theirs} (${utcText(at)}), ${when}\n${parts.join(', ')}`
}
