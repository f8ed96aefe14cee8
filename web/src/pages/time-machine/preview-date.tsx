// The date that the preview starts from.
import { wallAt, wallIn } from '../../clock/format.ts'

/** In the given time zone, or in UTC for people of several. */
export function PreviewDate({ at, timezone }: { at: number; timezone: string | null }) {
  const { day, year } = timezone === null ? wallAt(at, 0) : wallIn(at, timezone)
  return (
    <p className="font-serif text-3xl leading-none tracking-tight">
      {day} <span className="text-accent">{year}</span>
    </p>
  )
}
