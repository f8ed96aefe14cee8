// Attempts on a time line and in a list. The time line is logarithmic, so that short attempts remain visible.
import type { ReactNode } from 'react'
import type { Attempt, EventDetail } from '../../api/types.ts'
import { durationText, latencyText } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { useNow } from '../../clock/now.ts'
import { Badge } from '../../ui/panel.tsx'
import { outcomeOf } from '../../ui/status.tsx'
import { Exchange } from './exchange.tsx'
import { type FoldedAttempts, foldAttempts } from './fold-attempts.ts'

type StripEvent = Pick<EventDetail, 'attempts' | 'targetTimestampUTC' | 'wakeAt' | 'status'>

export function AttemptStrip({ event }: { event: StripEvent }) {
  const now = useNow(1_000)
  const target = Date.parse(event.targetTimestampUTC)
  const next = event.status === 'PROCESSING' && event.wakeAt !== null ? Date.parse(event.wakeAt) : null
  if (event.attempts.length === 0 && next === null) return null
  const moments = [
    target,
    ...event.attempts.flatMap(({ startedAt, finishedAt }) => [Date.parse(startedAt), Date.parse(finishedAt)]),
    ...(next === null ? [] : [next, now]),
  ]
  const at = scaleOf(moments)
  return (
    <div className="relative mx-1 mb-4 h-10" aria-hidden="true">
      <div className="absolute inset-x-0 top-4 h-px bg-line-strong" />
      <div className="absolute top-1 h-6 w-px bg-accent-fill" style={{ left: percent(at(target)) }} />
      <span className="absolute top-7 text-2xs text-accent" style={{ left: percent(at(target)) }}>
        due
      </span>
      {event.attempts.map((attempt) => (
        <Bar key={attempt.number} attempt={attempt} at={at} />
      ))}
      {next !== null && next > now && (
        <div
          className="-translate-x-1/2 absolute top-2.5 size-3 animate-breathe rounded-full border border-sending border-dashed"
          style={{ left: percent(at(next)) }}
        />
      )}
    </div>
  )
}

function Bar({ attempt, at }: { attempt: Attempt; at: (instant: number) => number }) {
  const from = at(Date.parse(attempt.startedAt))
  const to = at(Date.parse(attempt.finishedAt))
  const { word, fill } = outcomeOf(attempt.outcome)
  return (
    <div
      data-tip={`Attempt ${attempt.number}: ${word}${attempt.statusCode === null ? '' : `, HTTP ${attempt.statusCode}`}`}
      className={`absolute top-2 h-4 min-w-2 rounded-xs ${fill.replace('fill-', 'bg-')}`}
      style={{ left: percent(from), width: percent(to - from) }}
    />
  )
}

/** Maps instants to 0…1. The width of each interval is the logarithm of its duration. */
function scaleOf(moments: readonly number[]): (instant: number) => number {
  const stops = [...new Set(moments)].sort((a, b) => a - b)
  const places = [0]
  for (let i = 1; i < stops.length; i++) {
    places.push(places[i - 1]! + Math.log10(1 + (stops[i]! - stops[i - 1]!) / 20) + 0.1)
  }
  const whole = Math.max(places.at(-1)!, 0.1) * 1.04
  return (instant) => (places[stops.indexOf(instant)] ?? 0) / whole
}

function percent(part: number): string {
  return `${part * 100}%`
}

export function AttemptList({ event }: { event: EventDetail }) {
  if (event.attempts.length === 0) {
    return (
      <p className="text-soft">
        No attempts yet.{' '}
        {event.status === 'PENDING' && event.wakeAt !== null && (
          <>
            Due <Ago at={event.wakeAt} />.
          </>
        )}
      </p>
    )
  }
  return (
    <ol className="space-y-3">
      {foldAttempts(event.attempts, event.targetTimestampUTC).map((folded, index) => (
        <Item key={folded.first.number} folded={folded} timezone={event.targetTimezone}>
          <Exchange attempt={folded.last} isOpen={index === 0 && folded.last.outcome !== 'DELIVERED'} />
        </Item>
      ))}
    </ol>
  )
}

type ItemProps = { folded: FoldedAttempts; timezone: string; children: ReactNode }

function Item({ folded: { first, last, count, waitedMs }, timezone, children }: ItemProps) {
  const { number, workerId, finishedAt, outcome, statusCode, error, channel } = last
  const { word, text } = outcomeOf(outcome)
  const tookMs = Date.parse(finishedAt) - Date.parse(last.startedAt)
  const isOne = count === 1
  return (
    <li className="grid grid-cols-[1.5rem_1fr] gap-x-2">
      <span className="font-mono text-soft text-xs leading-5">{number}</span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className={`font-medium ${text}`}>
            {!isOne && `${count.toLocaleString('en')} × `}
            {word}
          </span>
          {channel !== null && <Badge>{channel}</Badge>}
          {statusCode !== null && <span className="font-mono text-xs">{statusCode}</span>}
          <span className="text-soft text-xs">
            {isOne && `took ${latencyText(tookMs)}, `}
            {!isOne && `attempts ${first.number} to ${number}, the first `}
            {whenText(waitedMs, first.number)}
          </span>
        </p>
        {error !== null && <p className="break-words font-mono text-soft text-xs">{error}</p>}
        <p className="flex flex-wrap items-center gap-x-2 text-xs">
          {!isOne && (
            <>
              <LocalTime at={first.startedAt} timezone={timezone} seconds place={false} dial={false} />
              <span className="text-soft">to</span>
            </>
          )}
          <LocalTime at={last.startedAt} timezone={timezone} seconds place={false} dial={false} />
          <span className="text-soft">
            {isOne ? 'by' : 'the last by'} <span className="font-mono text-2xs">{workerId}</span>
          </span>
        </p>
        {children}
      </div>
    </li>
  )
}

function whenText(waitedMs: number, number: number): string {
  const waited = waitedMs < 1_000 ? latencyText(Math.max(0, waitedMs)) : durationText(waitedMs)
  return `${waited} after ${number === 1 ? 'the due time' : `attempt ${number - 1}`}`
}
