// The event page: status, attempts with their responses, the request, and why it is due at its time.
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { isNotFound } from '../../api/client.ts'
import { useEvent } from '../../api/events.ts'
import { useUser } from '../../api/people.ts'
import { useWaitsFor } from '../../api/today.ts'
import type { EventDetail, RelatedEvent } from '../../api/types.ts'
import { dateText, retryText, typeText, wallIn } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { Link } from '../../router.tsx'
import { waitText } from '../../shell/stopped-text.ts'
import { Icon } from '../../ui/icons.tsx'
import { Badge, Empty, Loaded, Panel } from '../../ui/panel.tsx'
import { StatusMark } from '../../ui/status.tsx'
import { AttemptList, AttemptStrip } from './attempts.tsx'
import { EventExplanation } from './explanation.tsx'
import { Moves } from './moves.tsx'
import { Replay } from './replay.tsx'
import { Request } from './request.tsx'
import { StateMachine } from './state-machine.tsx'

export function EventPage({ id }: { id: string | null }) {
  const event = useEvent(id ?? '')
  if (isNotFound(event.error)) {
    return (
      <Empty heading="h1" title="Event not found.">
        It may have been deleted with its person.
      </Empty>
    )
  }
  return (
    <Loaded query={event} rows={10}>
      {(detail) => <EventDetails event={detail} />}
    </Loaded>
  )
}

function EventDetails({ event }: { event: EventDetail }) {
  const user = useUser(event.userId).data
  const waitsFor = useWaitsFor()(event)
  const healed = event.replays.find(({ status }) => status === 'COMPLETED')
  return (
    <div className="space-y-4">
      <header>
        <Link
          to={`people/${event.userId}`}
          className="inline-flex items-center gap-1 text-soft hover:text-ink"
        >
          <Icon name="left" size={12} />
          Person
        </Link>
        <div className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <h1 className="font-serif text-[1.65rem] leading-tight tracking-tight">
            {user !== undefined && (
              <>
                <bdi>{fullName(user)}</bdi>
                {': '}
              </>
            )}
            {typeText(event.eventType)}, {dateText(event.targetTimestampLocal)}
            {retryText(event.occurrence)}
          </h1>
          <span className="text-base">
            <StatusMark status={event.status} isWaiting={waitsFor !== undefined} />
            {waitsFor !== undefined && <span className="text-soft">: {waitText(waitsFor)}</span>}
          </span>
          {healed !== undefined && (
            <Link to={`event/${healed.id}`} className="text-sent underline">
              Delivered by a retry
            </Link>
          )}
        </div>
        <p className="mt-1 text-base">
          <LocalTime
            at={event.targetTimestampUTC}
            local={event.targetTimestampLocal}
            timezone={event.targetTimezone}
          />
          {event.channel !== null && (
            <span className="ml-3 text-soft text-sm">
              {event.attempts.length > 0 ? 'Sent to' : 'Goes to'} <Badge>{event.channel}</Badge>
            </span>
          )}
        </p>
      </header>
      <Panel flush>
        <StateMachine event={event} />
      </Panel>
      <Replay event={event} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Why at this time">
          <EventExplanation id={event.id} />
        </Panel>
        <Panel title={`Attempts (${event.attempts.length})`}>
          <AttemptStrip event={event} />
          <AttemptList event={event} />
        </Panel>
      </div>
      <Moves moves={event.moves} />
      <Request event={event} />
      <Relations event={event} />
    </div>
  )
}

function Relations({ event }: { event: EventDetail }) {
  const { replays, successor, replayOf, targetTimezone } = event
  if (replays.length === 0 && successor === null && replayOf === null) return null
  return (
    <Panel title="Related events">
      <ul className="space-y-2">
        {replayOf !== null && (
          <li>
            <Link to={`event/${replayOf}`} className="text-accent hover:underline">
              Replay of an earlier event
            </Link>
          </li>
        )}
        {replays.map((related) => (
          <Related key={related.id} related={related} timezone={targetTimezone} what="Replayed as" />
        ))}
        {successor !== null && (
          <Related related={successor} timezone={targetTimezone} what="Next occurrence" />
        )}
      </ul>
    </Panel>
  )
}

type RelatedProps = { related: RelatedEvent; timezone: string; what: string }

function Related({ related, timezone, what }: RelatedProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <span className="text-soft">{what}</span>
      <Link to={`event/${related.id}`} className="font-medium hover:underline">
        {dateText(wallIn(Date.parse(related.targetTimestampUTC), timezone).date)}
        {retryText(related.occurrence)}
      </Link>
      <StatusMark status={related.status} />
      <span className="text-soft">
        <Ago at={related.targetTimestampUTC} utc />
      </span>
    </li>
  )
}
