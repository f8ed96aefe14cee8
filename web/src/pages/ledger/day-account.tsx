// The account of one day: its totals and its lines.
import { isNotFound, messageOf } from '../../api/client.ts'
import { useLedgerDay } from '../../api/ledger.ts'
import type { LedgerColumn, LedgerDay } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { Link, setParams, useParam } from '../../router.tsx'
import { CopyButton } from '../../ui/button.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Empty, Loaded, Note, Panel } from '../../ui/panel.tsx'
import { COLUMN_SIGNS } from './column-mark.tsx'
import { dayText, instantText } from './day-text.ts'
import { Line } from './line.tsx'
import { Totals } from './totals.tsx'

export function DayAccount({ day }: { day: string }) {
  const [asked] = useParam('column')
  const [cursor] = useParam('cursor')
  const column = columnOf(asked)
  const query = useLedgerDay(day, column, cursor)
  return (
    <div className="space-y-4">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <Link to="ledger" className="inline-flex items-center gap-1 text-soft hover:text-ink">
            <Icon name="left" size={12} />
            Ledger
          </Link>
          <h1 className="mt-1 font-serif text-[1.65rem] leading-tight tracking-tight">{dayText(day)}</h1>
        </div>
      </header>
      {isNotFound(query.error) ? (
        <Panel flush>
          <Empty title="No account of this day.">{messageOf(query.error)}</Empty>
        </Panel>
      ) : (
        <Loaded query={query} rows={10}>
          {({ day: account, items: lines, nextCursor }) => (
            <>
              {account.state === 'closing' ? (
                <Note>The account is being computed. The lines below are those found so far.</Note>
              ) : (
                <>
                  <Alarms day={account} />
                  <Panel flush>
                    <Totals day={account} />
                  </Panel>
                  <Closing day={account} />
                </>
              )}
              <Panel title="Lines" aside={<ColumnFilter value={column} day={account} />} flush>
                {lines.length === 0 && (
                  <Empty
                    title={
                      account.prunedAt !== null
                        ? 'The lines were pruned.'
                        : column === ''
                          ? 'No lines.'
                          : 'No lines in this column.'
                    }
                  />
                )}
                <ul aria-label="Lines" className="divide-y divide-line">
                  {lines.map((line) => (
                    <Line key={line.number} line={line} />
                  ))}
                </ul>
                <Pagination cursor={cursor} next={nextCursor} />
              </Panel>
            </>
          )}
        </Loaded>
      )}
    </div>
  )
}

/** Empty for a column that does not exist. */
function columnOf(asked: string): LedgerColumn | '' {
  return asked in COLUMN_SIGNS ? (asked as LedgerColumn) : ''
}

function ColumnFilter({ value, day }: { value: LedgerColumn | ''; day: LedgerDay }) {
  const columns = Object.keys(COLUMN_SIGNS) as LedgerColumn[]
  const options = Object.fromEntries(
    columns.map((column) => [column, `${COLUMN_SIGNS[column].word} (${day[column].toLocaleString('en')})`]),
  )
  return (
    <FilterSelect
      label="Column"
      all="All columns"
      value={value}
      options={options}
      onChange={(column) => setParams({ column, cursor: '' })}
    />
  )
}

const ALARMS = {
  unexplained: 'owed, and nothing recorded explains what became of them.',
  surplus: 'sent, but not owed.',
} as const

function Alarms({ day }: { day: LedgerDay }) {
  const columns = (['unexplained', 'surplus'] as const).filter((column) => day[column] > 0)
  if (columns.length === 0) return null
  return (
    <Note tone="failed">
      {columns.map((column) => (
        <p key={column}>
          <span className="font-semibold">
            {day[column].toLocaleString('en')} {column}
          </span>
          : {ALARMS[column]}{' '}
          <Link to={`ledger/${day.day}?column=${column}`} className="underline">
            Show {column} lines
          </Link>
        </p>
      ))}
    </Note>
  )
}

function Closing({ day: { closedAt, people, carried, tzVersion, hash } }: { day: LedgerDay }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-soft text-xs">
      Closed {closedAt !== null && instantText(closedAt)}. Account of {count(people, 'person', 'people')}
      {carried > 0 && `, with ${count(carried, 'line')} carried over from earlier days`}, by tz {tzVersion}.
      {hash !== null && (
        <>
          <span>Hash</span>
          <span data-tip={hash} className="font-mono">
            {hash.slice(0, 12)}
          </span>
          <CopyButton text={hash} what="hash" />
        </>
      )}
    </p>
  )
}
