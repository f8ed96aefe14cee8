// The figures of the day in one row.
import type { ReactNode } from 'react'
import type { Today } from '../api/types.ts'
import { took } from '../clock/format.ts'
import { Link } from '../router.tsx'

type FigureProps = {
  label: string
  tip: string
  children: ReactNode
  tone?: string
  to?: string
  /** Left out where there is little room. */
  minor?: boolean
}

function Figure({ label, tip, children, tone = '', to, minor = false }: FigureProps) {
  return (
    <div
      data-tip={tip}
      className={`relative flex min-w-24 flex-1 flex-col-reverse justify-end px-4 py-3 ${minor ? 'max-md:hidden' : ''} ${to === undefined ? '' : 'hover:bg-raised'}`}
    >
      <dt className="text-soft text-xs">{label}</dt>
      <dd className={`font-serif text-2xl leading-tight ${tone}`}>
        {children}
        {to !== undefined && (
          <Link to={to} className="absolute inset-0" aria-label={`${label}: to the list`} />
        )}
      </dd>
    </div>
  )
}

export function Counts({ today }: { today: Today }) {
  const { counts, lateness, instances } = today
  const n = (value: number) => value.toLocaleString('en')
  return (
    <dl className="flex flex-wrap divide-line overflow-hidden rounded-lg border border-line bg-panel md:divide-x">
      <Figure label="people" tip="Everybody on file" to="people">
        {n(counts.people)}
      </Figure>
      <Figure
        label="sent in 24 h"
        tip="Delivered within the last 24 hours"
        tone={counts.sent24h > 0 ? 'text-sent' : ''}
      >
        {n(counts.sent24h)}
      </Figure>
      <Figure
        label="in flight"
        tip={`${n(counts.inFlight)} being delivered, ${n(counts.waiting)} waiting to be tried again`}
        tone={counts.inFlight + counts.waiting > 0 ? 'text-flight' : ''}
      >
        {n(counts.inFlight + counts.waiting)}
      </Figure>
      <Figure
        label="failed in 24 h"
        tip="Ended without being delivered; each can be sent again"
        tone={counts.failed24h > 0 ? 'text-failed' : ''}
        to="failures"
      >
        {n(counts.failed24h)}
      </Figure>
      <Figure
        label="may be doubled"
        tip="Attempts whose end nobody saw: posted again under the same key, so that the receiver can tell"
        tone={counts.ambiguous24h > 0 ? 'text-doubt' : ''}
      >
        {n(counts.ambiguous24h)}
      </Figure>
      <Figure
        label="p95 late"
        tip={
          lateness === null
            ? 'Nothing was delivered in 24 hours'
            : `Half within ${took(lateness.p50Ms)} of their minute, 95 in 100 within ${took(lateness.p95Ms)}`
        }
      >
        {lateness === null ? '–' : took(lateness.p95Ms)}
      </Figure>
      <Figure
        minor
        label={instances.length === 1 ? 'worker' : 'workers'}
        tip={instances.map(({ id }) => id).join('\n') || 'None has settled anything lately'}
      >
        {n(instances.length)}
      </Figure>
    </dl>
  )
}
