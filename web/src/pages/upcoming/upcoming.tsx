// The upcoming page: messages per local date for a year, and the messages of a selected day.
import { useState } from 'react'
import { parseCivilDate } from '../../../../src/domain/time/calendar.ts'
import { useEvents } from '../../api/events.ts'
import { useNames } from '../../api/people.ts'
import { useUpcoming } from '../../api/today.ts'
import type { Upcoming as UpcomingData } from '../../api/types.ts'
import { count, fromNow, typeText, utcText, wallAt } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { useNow } from '../../clock/now.ts'
import { Link, useParam } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded, Loading, PageTitle, Panel } from '../../ui/panel.tsx'
import { CalendarFeeds } from './calendar-feeds.tsx'
import { HeatGrid } from './heat-grid.tsx'

const DAYS = 366

export function Upcoming() {
  const upcoming = useUpcoming(DAYS)
  const [asked, setDay] = useParam('day')
  const day = parseCivilDate(asked) === null ? '' : asked
  const now = useNow(3_600_000)
  const today = wallAt(now, 0).date
  return (
    <>
      <PageTitle title="Upcoming">
        Messages per day over the next year, by local date: the next one of each occasion.
      </PageTitle>
      <Loaded query={upcoming} rows={8}>
        {(data) => (
          <div className="space-y-4">
            <Figures data={data} now={now} />
            <Panel flush>
              <HeatGrid
                days={data.days}
                today={today}
                selected={day}
                onSelect={setDay}
                busiest={data.busiest?.utc}
              />
            </Panel>
            <Panel title={day === '' ? undefined : dayText(day)} flush>
              {day === '' ? (
                <Empty title="Select a day to see its messages.">The arrow keys move between days.</Empty>
              ) : (
                <DayList key={day} day={day} />
              )}
            </Panel>
            <CalendarFeeds />
          </div>
        )}
      </Loaded>
    </>
  )
}

function dayText(day: string): string {
  const { day: text, year } = wallAt(Date.parse(`${day}T12:00:00Z`), 0)
  return `${text} ${year}, local date`
}

function Figures({ data, now }: { data: UpcomingData; now: number }) {
  const total = data.days.reduce((sum, day) => sum + day.count, 0)
  const top = data.days.reduce((best, day) => (day.count > best.count ? day : best), { date: '', count: 0 })
  const { busiest } = data
  return (
    <p className="text-base">
      {count(total, 'message')} in the next year
      {top.count > 1 && (
        <>
          , most ({top.count.toLocaleString('en')}) on {dayText(top.date).split(',')[0]}
        </>
      )}
      {busiest !== null && (
        <>
          . The busiest minute is{' '}
          <span className="text-accent">
            {wallAt(Date.parse(busiest.utc), 0).day} {wallAt(Date.parse(busiest.utc), 0).year}{' '}
            {utcText(Date.parse(busiest.utc))}
          </span>
          , {fromNow(Date.parse(busiest.utc), now)}, with {count(busiest.count, 'message')}
        </>
      )}
      .
      <span className="text-soft text-xs">
        {' '}
        Updated <Ago at={data.countedAt} />.
      </span>
    </p>
  )
}

const HOUR = 3_600_000

/** Loads all events due while it is that date anywhere, and keeps those on that local date. */
function DayList({ day }: { day: string }) {
  const [limit, setLimit] = useState(50)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const span = {
    dueFrom: new Date(midnight - 14 * HOUR).toISOString(),
    dueBefore: new Date(midnight + 36 * HOUR).toISOString(),
  }
  const events = useEvents({ ...span, limit: 200 }, { live: false })
  const onDay = (events.data?.items ?? [])
    .filter(({ targetTimestampLocal }) => targetTimestampLocal.startsWith(day))
    .sort((a, b) => Date.parse(a.targetTimestampUTC) - Date.parse(b.targetTimestampUTC))
  const shown = onDay.slice(0, limit)
  const names = useNames(shown.map(({ userId }) => userId))
  if (events.isPending) return <Loading rows={3} />
  if (shown.length === 0) return <Empty title="No messages on this day." />
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((event) => (
          <li key={event.id}>
            <Link
              to={`event/${event.id}`}
              data-row
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-4 px-4 py-2 hover:bg-raised max-md:grid-cols-1 max-md:gap-0"
            >
              <span className="truncate">
                {names.get(event.userId) ?? '…'}{' '}
                <span className="text-soft">
                  {typeText(event.eventType)} {event.occurrence}
                </span>
              </span>
              <LocalTime
                at={event.targetTimestampUTC}
                local={event.targetTimestampLocal}
                timezone={event.targetTimezone}
              />
            </Link>
          </li>
        ))}
      </ul>
      {onDay.length > limit && (
        <div className="border-line border-t p-2 text-center">
          <Button look="quiet" onClick={() => setLimit(limit + 150)}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}
