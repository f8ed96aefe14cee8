// The account of the running day so far, with the problems that are there and the messages that failed.
import { useLedgerToday } from '../../api/ledger.ts'
import { Loaded, Note, Panel } from '../../ui/panel.tsx'
import { instantText } from './day-text.ts'
import { Lines } from './line.tsx'
import { Totals } from './totals.tsx'

export function TodaySoFar() {
  const query = useLedgerToday()
  return (
    <Panel title="Today so far" aside={query.data && `Due up to ${instantText(query.data.at)}`} flush>
      <Loaded query={query} rows={2}>
        {({ day, missed, lines }) => (
          <>
            {(missed.UNCHECKED ?? 0) > 0 && (
              <Note tone="failed">No check of all plans was completed for six hours.</Note>
            )}
            <Totals day={day} />
            {lines.length > 0 && (
              <div className="border-line border-t">
                <Lines lines={lines} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
