// The account of the running day so far, with the lines that are not plain deliveries.
import { useLedgerToday } from '../../api/ledger.ts'
import { count } from '../../clock/format.ts'
import { Loaded, Note, Panel } from '../../ui/panel.tsx'
import { instantText } from './day-text.ts'
import { Line } from './line.tsx'
import { Totals } from './totals.tsx'

const SHOWN = 10

export function TodaySoFar() {
  const query = useLedgerToday()
  return (
    <Panel title="Today so far" aside={query.data && `Due up to ${instantText(query.data.at)}`} flush>
      <Loaded query={query} rows={2}>
        {({ day, complete, lines }) => (
          <>
            {!complete && (
              <Note>
                Only the first {count(day.people, 'person', 'people')} were accounted for. The account of the
                day has everyone once it is closed.
              </Note>
            )}
            <Totals day={day} />
            {lines.length > 0 && (
              <ul aria-label="Lines of today" className="divide-y divide-line border-line border-t">
                {lines.slice(0, SHOWN).map((line) => (
                  <Line key={line.number} line={line} />
                ))}
              </ul>
            )}
            {lines.length > SHOWN && (
              <p className="border-line border-t px-4 py-2 text-soft">
                The first {SHOWN} lines are shown. <code>terce ledger --today</code> lists more.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
