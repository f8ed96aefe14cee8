// The upcoming page: messages per local date for a year, and the messages of a selected day.
import { parseCivilDate } from '../../../../src/domain/time/calendar.ts'
import { useUpcoming, useUpcomingList } from '../../api/today.ts'
import type { Upcoming as UpcomingData } from '../../api/types.ts'
import { count, fromNow, utcText, wallAt } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useNow } from '../../clock/now.ts'
import { setParams, useParam } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Empty, Loaded, PageTitle, Panel } from '../../ui/panel.tsx'
import { MessageRow } from '../messages/message-row.tsx'
import { CalendarFeeds } from './calendar-feeds.tsx'
import { HeatGrid } from './heat-grid.tsx'

const DAYS = 366

export function Upcoming() {
  const upcoming = useUpcoming(DAYS)
  const [asked] = useParam('day')
  const day = parseCivilDate(asked) === null ? '' : asked
  const now = useNow(3_600_000)
  const today = wallAt(now, 0).date
  const select = (next: string) => setParams({ day: next, cursor: '' })
  const aside =
    day === '' ? (
      'Select a day to see its messages.'
    ) : (
      <Button look="quiet" onClick={() => select('')}>
        Show next messages
      </Button>
    )
  return (
    <>
      <PageTitle title="Upcoming">
        The next message of each occasion, by local date, over the next year. Later messages of an occasion
        that repeats within the year are not counted; <code>terce preview</code> lists them.
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
                onSelect={select}
                busiest={data.busiest?.utc}
              />
            </Panel>
            <Panel title={day === '' ? 'Next messages' : dayText(day)} aside={aside} flush>
              <MessagesOf day={day} />
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
      {count(total, 'occasion')} {total === 1 ? 'has its' : 'have their'} next message in the next year
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

/** Without a day, the next messages of all days. */
function MessagesOf({ day }: { day: string }) {
  const [cursor] = useParam('cursor')
  const page = useUpcomingList(day, cursor)
  return (
    <Loaded query={page} rows={5}>
      {({ items, nextCursor }) => (
        <>
          {items.length === 0 && (
            <Empty
              title={
                day === '' ? 'No messages in the next year.' : 'No occasion has its next message on this day.'
              }
            />
          )}
          <ul aria-label="Messages" className="divide-y divide-line">
            {items.map((event) => (
              <MessageRow key={event.id} message={event} />
            ))}
          </ul>
          <Pagination page="upcoming" cursor={cursor} next={nextCursor} />
        </>
      )}
    </Loaded>
  )
}
