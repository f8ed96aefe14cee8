// The seal of a closed day: who signed it, and the hashes that connect it to its lines and to the day before.
import type { ReactNode } from 'react'
import type { LedgerDay } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { CopyButton } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { instantText } from './day-text.ts'

const FIRST_DAY = /^0+$/

export function Seal({ day }: { day: LedgerDay }) {
  const { publicKey, root, previous, signature, closedAt, tzVersion } = day
  return (
    <Panel title="Seal" aside={closedAt !== null && <>Closed {instantText(closedAt)}</>}>
      <dl className="grid gap-x-8 gap-y-1 lg:grid-cols-2">
        <Value name="Signed by" what="public key" value={publicKey} />
        <Value name="Signature" what="signature" value={signature} />
        <Value name="Root of the lines" what="root" value={root} />
        {previous !== null && FIRST_DAY.test(previous) ? (
          <Row name="Day before">none: the ledger begins with this day</Row>
        ) : (
          <Value name="Hash of the day before" what="hash of the day before" value={previous} />
        )}
      </dl>
      <p className="mt-3 text-soft text-xs">
        Account of {count(day.people, 'person', 'people')}
        {day.carried > 0 && `, with ${count(day.carried, 'line')} carried over from earlier days`}
        {tzVersion !== null && `, by tz ${tzVersion}`}.
      </p>
    </Panel>
  )
}

function Value({ name, what, value }: { name: string; what: string; value: string | null }) {
  if (value === null) return null
  return (
    <Row name={name}>
      <span data-tip={value} className="whitespace-nowrap font-mono text-xs">
        {shortOf(value)}
      </span>
      <CopyButton text={value} what={what} />
    </Row>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center gap-3 border-line border-b">
      <dt className="w-40 shrink-0 text-soft max-md:w-24">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">{children}</dd>
    </div>
  )
}

/** `9f86d081…0a08` */
export function shortOf(hash: string): string {
  return hash.length <= 20 ? hash : `${hash.slice(0, 8)}…${hash.slice(-4)}`
}
