// The counts of an account, each with its word.
import { SHOWN_COUNTS } from '../../../../src/domain/ledger/line.ts'
import type { LedgerDay } from '../../api/types.ts'

export function Totals({ day }: { day: LedgerDay }) {
  return (
    <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-lg bg-line xl:grid-cols-9">
      {SHOWN_COUNTS.map((name) => (
        <div key={name} className="bg-panel px-4 py-3">
          <dt className="text-soft text-xs capitalize">{name}</dt>
          <dd className={`font-serif text-xl ${lookOf(day[name], name)}`}>
            {day[name].toLocaleString('en')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The look of a count: soft if it is 0, and an alarm if it must be 0 and is not. */
export function lookOf(n: number, name: (typeof SHOWN_COUNTS)[number]): string {
  if (n === 0) return 'text-soft'
  return name === 'unexplained' || name === 'surplus' ? 'font-semibold text-failed' : ''
}
