// The bars of the chart of messages: one for each quarter of an hour, because offsets from UTC are multiples of it. A bar
// for each minute would overlap its neighbours.
import type { WaveStep } from '../../api/types.ts'
import { periodOf } from '../messages/filter.ts'

export const BAR_MS = 15 * 60_000

export type Counts = Pick<WaveStep, 'sent' | 'inFlight' | 'failed' | 'remaining'>

export type Bar = Counts & {
  /** The start of its quarter of an hour. */
  from: number
  /** The first and the last minute in which messages are due. */
  first: number
  last: number
  offsets: Set<number>
}

/** The bars of a span that have messages, earliest first. */
export function barsOf(wave: readonly WaveStep[], span: { from: number; before: number }): Bar[] {
  const bars = new Map<number, Bar>()
  for (const { offsetMinutes, dueAt, ...counts } of wave) {
    const at = Date.parse(dueAt)
    const from = Math.floor(at / BAR_MS) * BAR_MS
    if (from < span.from || from + BAR_MS > span.before || totalOf(counts) === 0) continue
    const bar = bars.get(from) ?? { ...NONE, from, first: at, last: at, offsets: new Set<number>() }
    bar.first = Math.min(bar.first, at)
    bar.last = Math.max(bar.last, at)
    bar.offsets.add(offsetMinutes)
    bar.sent += counts.sent
    bar.inFlight += counts.inFlight
    bar.failed += counts.failed
    bar.remaining += counts.remaining
    bars.set(from, bar)
  }
  return [...bars.values()].sort((a, b) => a.from - b.from)
}

const NONE: Counts = { sent: 0, inFlight: 0, failed: 0, remaining: 0 }

export function totalOf({ sent, inFlight, failed, remaining }: Counts): number {
  return sent + inFlight + failed + remaining
}

/** The messages of the bar as a period of the page Messages: from its first minute through its last. */
export function periodOfBar({ first, last }: Bar): string {
  return periodOf(first, last + 60_000)
}
