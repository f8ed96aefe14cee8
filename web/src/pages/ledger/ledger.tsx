// The ledger: a row for each day, or the account of one day.
import { parseCivilDate } from '../../../../src/domain/time/calendar.ts'
import { useLedgerDays } from '../../api/ledger.ts'
import { API_BASE } from '../../base.ts'
import { Empty, Loaded, PageTitle, Panel } from '../../ui/panel.tsx'
import { DayAccount } from './day-account.tsx'
import { DayGrid } from './day-grid.tsx'
import { summaryOf } from './day-state.ts'
import { DayTable } from './day-table.tsx'
import { TodaySoFar } from './today.tsx'

export function Ledger({ id }: { id: string | null }) {
  if (id === null) return <AllDays />
  if (parseCivilDate(id) === null) {
    return (
      <Empty heading="h1" title="Page not found.">
        {id} is not a date. Check the URL.
      </Empty>
    )
  }
  return <DayAccount key={id} day={id} />
}

function AllDays() {
  const query = useLedgerDays()
  return (
    <>
      <PageTitle title="Ledger">
        Who was missed, and what became of the messages of each day.{' '}
        <a href={`${API_BASE}/docs#get-ledger`} className="text-accent underline">
          API reference
        </a>
      </PageTitle>
      <div className="mb-4">
        <TodaySoFar />
      </div>
      <Loaded query={query} rows={8}>
        {({ items: days }) =>
          days.length > 0 ? (
            <div className="space-y-4">
              <p className="text-base">{summaryOf(days)}</p>
              <Panel flush>
                <DayGrid days={days} />
              </Panel>
              <Panel title="Days" aside="By local date, newest first" flush>
                <DayTable days={days} />
              </Panel>
            </div>
          ) : (
            <Panel flush>
              <Empty title="No closed day yet.">
                A day is closed at 12:00 UTC of the next day, when it has ended in every timezone.
              </Empty>
            </Panel>
          )
        }
      </Loaded>
    </>
  )
}
