// The states of an event, the current one, its version and the worker that claimed it last.
import type { ReactNode } from 'react'
import type { EventDetail, EventStatus } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { StatusMark } from '../../ui/status.tsx'
import { nextTryAt } from './next-try.ts'

type Passed = 'now' | 'before' | 'not'

export function StateMachine({ event }: { event: EventDetail }) {
  const { status, attempts, version, createdAt, executedAt, tzVersion } = event
  const lastTry = attempts.at(-1)
  const wasClaimed = attempts.length > 0 || status !== 'PENDING'
  const nextAt = nextTryAt(event)
  const isWaiting = status === 'PROCESSING' && nextAt !== null && Date.parse(nextAt) > Date.now()
  const passed = (state: EventStatus): Passed => {
    if (state === status) return 'now'
    if (state === 'PENDING') return 'before'
    return state === 'PROCESSING' && wasClaimed ? 'before' : 'not'
  }
  return (
    <ol className="flex items-stretch p-4 max-md:flex-col" aria-label="States">
      <State status="PENDING" passed={passed('PENDING')} version={status === 'PENDING' ? version : 1}>
        scheduled <Ago at={createdAt} /> with tz {tzVersion}
      </State>
      <Arrow isPassed={wasClaimed}>claim</Arrow>
      <State
        status="PROCESSING"
        passed={passed('PROCESSING')}
        version={status === 'PROCESSING' ? version : null}
      >
        {lastTry === undefined ? (
          'not claimed yet'
        ) : (
          <>
            {count(attempts.length, 'claim')}, last by{' '}
            <span className="font-mono text-2xs">{lastTry.workerId}</span>
          </>
        )}
        {isWaiting && (
          <>
            {'; next '}
            <Ago at={nextAt} />
          </>
        )}
      </State>
      <Arrow isPassed={status === 'COMPLETED' || status === 'FAILED'}>settle</Arrow>
      <li className="flex min-w-0 flex-1 flex-col gap-2">
        <State
          as="div"
          status="COMPLETED"
          passed={passed('COMPLETED')}
          version={status === 'COMPLETED' ? version : null}
        >
          {status === 'COMPLETED' && executedAt !== null ? <Ago at={executedAt} utc /> : 'final'}
        </State>
        <State
          as="div"
          status="FAILED"
          passed={passed('FAILED')}
          version={status === 'FAILED' ? version : null}
        >
          {status === 'FAILED' ? event.failureReason : 'needs attention'}
        </State>
      </li>
    </ol>
  )
}

const LOOKS: Record<Passed, string> = {
  now: 'border-accent bg-accent-wash',
  before: 'border-line-strong',
  not: 'border-line-strong border-dashed text-soft',
}

const FAILED = 'border-failed bg-failed-wash'

type StateProps = {
  status: EventStatus
  passed: Passed
  version: number | null
  children: ReactNode
  as?: 'li' | 'div'
}

function State({ status, passed, version, children, as: Element = 'li' }: StateProps) {
  const hasFailed = status === 'FAILED' && passed === 'now'
  return (
    <Element
      aria-current={passed === 'now' ? 'step' : undefined}
      className={`min-w-0 flex-1 rounded-md border px-3 py-2 ${hasFailed ? FAILED : LOOKS[passed]}`}
    >
      <p className="flex items-center justify-between gap-2">
        <span className={`font-mono text-xs ${hasFailed ? 'text-failed' : ''}`}>{status}</span>
        {version !== null && (
          <span
            className="font-mono text-2xs text-soft"
            data-tip="Row version: rises by one with every change"
          >
            v{version}
          </span>
        )}
        {version === null && passed !== 'not' && <StatusMark status={status} word={false} />}
      </p>
      <p className="text-soft text-xs">{children}</p>
    </Element>
  )
}

function Arrow({ isPassed, children }: { isPassed: boolean; children: ReactNode }) {
  return (
    <li
      aria-hidden="true"
      className={`flex shrink-0 flex-col items-center justify-center px-3 text-2xs max-md:py-1 ${isPassed ? 'text-ink' : 'text-soft'}`}
    >
      {children}
      <span className="text-base leading-none max-md:rotate-90">{isPassed ? '→' : '⇢'}</span>
    </li>
  )
}
