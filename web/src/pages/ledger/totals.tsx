// The counts of an account, each with its word.
import { OUTCOMES } from '../../../../src/domain/ledger/account.ts'
import type { LedgerDay } from '../../api/types.ts'

export const COUNTS = ['due', ...OUTCOMES, 'missed'] as const

export const COUNT_WORDS: Record<(typeof COUNTS)[number], { word: string; tip: string }> = {
  due: { word: 'Due', tip: 'Messages that were due on this local day' },
  onTime: { word: 'On time', tip: 'Delivered within a minute' },
  late: { word: 'Late', tip: 'Delivered later, or by a retry by hand' },
  failed: { word: 'Failed', tip: 'Could not be delivered' },
  notSent: { word: 'Not sent', tip: 'By a rule: a limit of lateness, a cut-off, a pause, a completed task' },
  waiting: { word: 'Waiting', tip: 'In flight, or waiting for a channel or a retry' },
  missed: { word: 'Problems', tip: 'Problems that can miss a person. Must be 0' },
}

export function Totals({ day }: { day: LedgerDay }) {
  return (
    <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-lg bg-line xl:grid-cols-7">
      {COUNTS.map((name) => (
        <div key={name} className="bg-panel px-4 py-3">
          <dt data-tip={COUNT_WORDS[name].tip} className="text-soft text-xs">
            {COUNT_WORDS[name].word}
          </dt>
          <dd className={`font-serif text-xl ${lookOf(day[name], name)}`}>
            {day[name].toLocaleString('en')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The look of a count: soft if it is 0, and an alarm if it must be 0 and is not. */
export function lookOf(n: number, name: (typeof COUNTS)[number]): string {
  if (n === 0) return 'text-soft'
  return name === 'missed' ? 'font-semibold text-failed' : ''
}
