// The date that the clock was dragged to.
import { wallAt, wallIn } from '../clock/format.ts'

/** By the calendar of the place; by UTC where there are many. */
export function PreviewDate({ at, timezone }: { at: number; timezone: string | null }) {
  const { day, year } = timezone === null ? wallAt(at, 0) : wallIn(at, timezone)
  return (
    <p className="font-serif text-3xl leading-none tracking-tight">
      {day} <span className="text-accent">{year}</span>
    </p>
  )
}
