// Events that a change would reschedule, with old and new time.
import type { Move } from '../../api/types.ts'
import { count, typeText, utcText, wallAt } from '../../clock/format.ts'
import { LocalTime } from '../../clock/local-time.tsx'

type RescheduledEventsProps = {
  moves: readonly Move[]
  skipped: number
  timezone: string
  newTimezone: string
}

export function RescheduledEvents({ moves, skipped, timezone, newTimezone }: RescheduledEventsProps) {
  const moving = moves.filter(({ from, to }) => to !== null && to.utc !== from.utc)
  if (moving.length === 0 && skipped === 0) return <p className="text-soft">No events change.</p>
  return (
    <div className="space-y-2">
      <p>
        Reschedules {count(moving.length, 'event')}
        {moving.length === 1 && moving[0]?.to ? `: ${clocks(moving[0])}` : moving.length > 0 ? ':' : '.'}
        {skipped > 0 && ` ${count(skipped, 'event is', 'events are')} already being sent and unchanged.`}
      </p>
      <ul className="space-y-1.5">
        {moving.slice(0, 5).map((move) => (
          <li key={move.eventId} className="grid grid-cols-[1fr_auto_1fr] items-start gap-2">
            <LocalTime
              stacked
              at={move.from.utc}
              local={move.from.local}
              timezone={move.from.timezone ?? timezone}
            />
            <span aria-hidden="true" className="text-accent">
              →
            </span>
            {move.to !== null && (
              <LocalTime
                stacked
                at={move.to.utc}
                local={move.to.local}
                timezone={move.to.timezone ?? newTimezone}
              />
            )}
            <span className="sr-only">{typeText(move.type)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function clocks({ from, to }: Move): string {
  const [before, after] = [Date.parse(from.utc), Date.parse(to?.utc ?? from.utc)]
  const sameDay = wallAt(before, 0).date === wallAt(after, 0).date
  return sameDay
    ? `${utcText(before)} → ${utcText(after)}`
    : `${wallAt(before, 0).day} ${utcText(before)} → ${wallAt(after, 0).day} ${utcText(after)}`
}
