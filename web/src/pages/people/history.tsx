// Events of a person by type: sent, failed and scheduled.
import { useEventsOfUser } from '../../api/people.ts'
import type { Event, User } from '../../api/types.ts'
import { dateText, typeText, utcText } from '../../clock/format.ts'
import { Link } from '../../router.tsx'
import { Loaded } from '../../ui/panel.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark, statusWord } from '../../ui/status.tsx'

export function History({ user }: { user: User }) {
  const events = useEventsOfUser(user.id)
  return (
    <Section title="History">
      <Loaded query={events} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-soft">No events yet.</p>
          ) : (
            <div className="space-y-3">
              {[...byType(items)].map(([type, line]) => (
                <Line key={type} type={type} events={line} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Section>
  )
}

function byType(events: readonly Event[]): Map<string, Event[]> {
  const lines = Map.groupBy(events, ({ eventType }) => eventType)
  for (const line of lines.values()) {
    line.sort((a, b) => Date.parse(a.targetTimestampUTC) - Date.parse(b.targetTimestampUTC))
  }
  return lines
}

/** At most this many fit in a row. */
const SHOWN = 12

function Line({ type, events }: { type: string; events: readonly Event[] }) {
  const shown = events.slice(-SHOWN)
  return (
    <div>
      <h4 className="mb-1 text-soft text-xs">
        {typeText(type)}
        {events.length > SHOWN && `, latest ${SHOWN} of ${events.length}`}
      </h4>
      <ol className="relative flex w-fit max-w-full gap-1 overflow-x-auto pb-1 before:absolute before:inset-x-2 before:top-[0.7rem] before:h-px before:bg-line-strong">
        {shown.map((event) => (
          <li key={event.id} className="relative shrink-0">
            <Link
              to={`event/${event.id}`}
              data-tip={`${event.targetTimestampLocal.slice(0, 16).replace('T', ' ')} local time\n${utcText(Date.parse(event.targetTimestampUTC))}, ${statusWord(event.status)}`}
              className="flex flex-col items-center rounded px-2 pb-1 hover:bg-raised"
            >
              <span className="bg-ground px-1 text-base leading-6">
                <StatusMark status={event.status} word={false} />
              </span>
              <span className="text-xs">{dateText(event.targetTimestampLocal)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </div>
  )
}
