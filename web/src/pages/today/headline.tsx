// Headline of Today: where the delivery time has just passed, and the next messages.
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { useEvents } from '../../api/events.ts'
import type { Today } from '../../api/types.ts'
import { cityOf, count, durationText, listText, utcText, wallAt } from '../../clock/format.ts'
import { useNowFor } from '../../clock/now.ts'
import { minutesSinceDelivery } from '../../clock/since-delivery.ts'
import { landmarksAt } from './landmarks.ts'

export function Headline({ today, now, deliverAt }: { today: Today; now: number; deliverAt: number }) {
  const here = today.zones.filter(
    ({ offsetMinutes }) => minutesSinceDelivery(now, offsetMinutes, deliverAt) < 60,
  )
  const cities =
    here.length > 0
      ? [...here].sort((a, b) => b.people - a.people).map(({ timezone }) => cityOf(timezone))
      : landmarksAt(now, deliverAt).map(cityOf)
  const { time } = wallAt(deliverAt * 60_000, 0)
  return (
    <div>
      <h1 className="font-serif text-[1.65rem] leading-tight tracking-tight md:text-[2rem]">
        {time} has just passed in <span className="text-accent">{shortList(cities)}</span>.
      </h1>
      <p className="mt-1.5 text-soft">
        {today.next === null ? 'No messages in the next 24 hours.' : <NextMessages next={today.next} />}
      </p>
    </div>
  )
}

/** `Next: Ada Lovelace in London in 18 s, at 09:00:18Z.` */
function NextMessages({ next }: { next: NonNullable<Today['next']> }) {
  const due = Date.parse(next.dueAt)
  const now = useNowFor(due)
  const span = { dueFrom: next.dueAt, dueBefore: new Date(due + 1).toISOString() }
  const page = useEvents({ status: 'PENDING', ...span, limit: ENOUGH }).data
  const events = page?.items ?? []
  const only = next.count === 1 ? events[0] : undefined
  const places = events.map(({ targetTimezone }) => cityOf(targetTimezone))
  return (
    <>
      Next: {only === undefined ? count(next.count, 'message') : <bdi>{fullName(only)}</bdi>}
      {places.length > 0 && ` in ${shortList(places)}${page?.nextCursor == null ? '' : ' and elsewhere'}`}{' '}
      {due > now ? (
        <>
          in <span className="text-ink">{durationText(due - now)}</span>, at{' '}
          {utcText(due, undefined, due % 60_000 !== 0)}.
        </>
      ) : (
        <span className="text-ink">now.</span>
      )}
    </>
  )
}

/** Messages that are read to name their places. */
const ENOUGH = 50

function shortList(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  return distinct.length <= 3
    ? listText(distinct)
    : `${distinct.slice(0, 2).join(', ')} and ${distinct.length - 2} more places`
}
