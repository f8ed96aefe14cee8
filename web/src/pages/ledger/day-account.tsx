// The account of one day: its totals, problems and failures.
import { isNotFound, messageOf } from '../../api/client.ts'
import { useLedgerDay } from '../../api/ledger.ts'
import { Link } from '../../router.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Loaded, Panel } from '../../ui/panel.tsx'
import { dayText, instantText } from './day-text.ts'
import { Lines } from './line.tsx'
import { Totals } from './totals.tsx'

export function DayAccount({ day }: { day: string }) {
  const query = useLedgerDay(day)
  return (
    <div className="space-y-4">
      <header>
        <Link to="ledger" className="inline-flex items-center gap-1 text-soft hover:text-ink">
          <Icon name="left" size={12} />
          Ledger
        </Link>
        <h1 className="mt-1 font-serif text-[1.65rem] leading-tight tracking-tight">{dayText(day)}</h1>
      </header>
      {isNotFound(query.error) ? (
        <Panel flush>
          <Empty title="No account of this day.">{messageOf(query.error)}</Empty>
        </Panel>
      ) : (
        <Loaded query={query} rows={10}>
          {({ day: account, lines }) => (
            <>
              <Panel flush>
                <Totals day={account} />
              </Panel>
              <p className="text-soft text-xs">
                {account.closedAt === null ? 'Not closed yet.' : `Closed ${instantText(account.closedAt)}.`}
              </p>
              <Panel title="Problems and failures" flush>
                {lines.length === 0 ? <Empty title="None." /> : <Lines lines={lines} />}
              </Panel>
            </>
          )}
        </Loaded>
      )}
    </div>
  )
}
