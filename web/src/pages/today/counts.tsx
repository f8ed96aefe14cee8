// The figures of the last 24 hours in one row.
import type { ReactNode } from 'react'
import type { Today } from '../../api/types.ts'
import { latencyText } from '../../clock/format.ts'
import { Link } from '../../router.tsx'
import { messagesPath } from '../messages/filter.ts'

type FigureProps = {
  label: string
  tip: string
  children: ReactNode
  tone?: string
  to?: string
  /** Hidden on phones. */
  minor?: boolean
}

export function Figure({ label, tip, children, tone = '', to, minor = false }: FigureProps) {
  return (
    <div
      data-tip={tip}
      className={`relative flex min-w-20 flex-auto flex-col-reverse justify-end px-4 py-3 max-xl:px-3 ${minor ? 'max-md:hidden' : ''} ${to === undefined ? '' : 'hover:bg-raised'}`}
    >
      <dt className="whitespace-nowrap text-soft text-xs">{label}</dt>
      <dd className={`font-serif text-2xl leading-tight max-xl:text-xl ${tone}`}>
        {children}
        {to !== undefined && <Link to={to} className="absolute inset-0" aria-label={`${label}: show list`} />}
      </dd>
    </div>
  )
}

const SENT = { state: 'sent', period: 'last-24h' }

export function Counts({ today }: { today: Today }) {
  const { counts, lateness, instances } = today
  const n = (value: number) => value.toLocaleString('en')
  return (
    <dl className="grid grid-cols-2 divide-line overflow-hidden rounded-lg border border-line bg-panel md:flex md:divide-x">
      <Figure label="People" tip="All people" to="people">
        {n(counts.people)}
      </Figure>
      <Figure
        label="Sent (24 h)"
        tip="Delivered in the last 24 hours"
        to={messagesPath(SENT)}
        tone={counts.sent24h > 0 ? 'text-sent' : ''}
      >
        {n(counts.sent24h)}
      </Figure>
      <Figure
        label="In progress"
        tip={`${n(counts.inFlight)} in flight, ${n(counts.waiting)} waiting for a retry or for their channel`}
        tone={counts.inFlight + counts.waiting > 0 ? 'text-sending' : ''}
        to={messagesPath({ state: 'sending', period: 'all' })}
      >
        {n(counts.inFlight + counts.waiting)}
      </Figure>
      <Figure
        label="Failed (24 h)"
        tip="Could not be delivered, and not retried since"
        tone={counts.failed24h > 0 ? 'text-failed' : ''}
        to={messagesPath({ state: 'unresolved', period: 'last-24h' })}
      >
        {n(counts.failed24h)}
      </Figure>
      <Figure
        label="Possible duplicates"
        tip="We never saw the response, so the message was sent again with the same idempotency key."
        tone={counts.ambiguous24h > 0 ? 'text-doubt' : ''}
        to={messagesPath({ state: 'duplicate', period: 'last-24h' })}
      >
        {n(counts.ambiguous24h)}
      </Figure>
      <Figure
        label="p95 delay"
        to={messagesPath(SENT)}
        tip={
          lateness === null
            ? 'Nothing delivered in the last 24 hours'
            : `Half within ${latencyText(lateness.p50Ms)} of the due time, 95% within ${latencyText(lateness.p95Ms)}`
        }
      >
        {lateness === null ? '–' : latencyText(lateness.p95Ms)}
      </Figure>
      {instances !== null && (
        <Figure
          minor
          label={instances.length === 1 ? 'Worker' : 'Workers'}
          tone={instances.length === 0 ? 'text-failed' : ''}
          tip={
            instances.length === 0
              ? 'No worker is running: messages are not sent. Start terce all or terce worker.'
              : `Running processes that send messages:\n${instances.map(({ id }) => id).join('\n')}`
          }
        >
          {n(instances.length)}
        </Figure>
      )}
    </dl>
  )
}
