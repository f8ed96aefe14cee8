// Page frames: panels, titles, badges, and the empty, loading and error states.
import type { ReactNode } from 'react'
import { messageOf, statusOf } from '../api/client.ts'
import { readerClockText } from '../clock/format.ts'
import { Button } from './button.tsx'

type PanelProps = {
  title?: ReactNode
  aside?: ReactNode
  children: ReactNode
  className?: string
  flush?: boolean
}

export function Panel({ title, aside, children, className = '', flush = false }: PanelProps) {
  return (
    <section className={`min-w-0 rounded-lg border border-line bg-panel ${className}`}>
      {(title !== undefined || aside !== undefined) && (
        <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-1.5">
          <h2 className="font-medium text-sm">{title}</h2>
          {aside !== undefined && <div className="flex items-center gap-2 text-soft text-xs">{aside}</div>}
        </header>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  )
}

type TitleProps = { title: string; children?: ReactNode; actions?: ReactNode }

export function PageTitle({ title, children, actions }: TitleProps) {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="font-serif text-[1.65rem] leading-tight tracking-tight">{title}</h1>
        {children !== undefined && <p className="mt-1 max-w-[68ch] text-soft">{children}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}

export function Empty({
  title,
  heading: Heading = 'p',
  children,
  action,
}: {
  title: string
  /** `h1` where this is the whole page. */
  heading?: 'p' | 'h1'
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="px-4 py-10 text-center">
      <Heading className="font-serif text-lg">{title}</Heading>
      {children !== undefined && <p className="mx-auto mt-1 max-w-[52ch] text-soft">{children}</p>}
      {action !== undefined && <div className="mt-4 flex justify-center gap-2">{action}</div>}
    </div>
  )
}

export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div role="status" className="space-y-3 p-4">
      <span className="sr-only">Loading</span>
      {[...Array(rows).keys()].map((row) => (
        <div
          key={row}
          className={`h-3.5 animate-breathe rounded bg-raised ${['w-3/4', 'w-1/2', 'w-2/3'][row % 3]}`}
        />
      ))}
    </div>
  )
}

export function LoadError({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 p-4">
      <div>
        <p className="font-medium text-failed">Could not load this.</p>
        <p className="text-soft">{messageOf(error)}</p>
      </div>
      {retry !== undefined && (
        <Button icon="again" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

type Query<T> = { data: T | undefined; error: unknown; refetch: () => unknown; dataUpdatedAt?: number }

/**
 * Shows the data of a query, a placeholder until it is there, or the error with a retry. Above data that
 * could not be refetched it says so.
 */
export function Loaded<T>(props: { query: Query<T>; rows?: number; children: (data: T) => ReactNode }) {
  const { query, rows = 4, children } = props
  if (query.data !== undefined) {
    return (
      <>
        {query.error !== null && <NotRefreshed error={query.error} at={query.dataUpdatedAt} />}
        {children(query.data)}
      </>
    )
  }
  if (query.error === null) return <Loading rows={rows} />
  return <LoadError error={query.error} retry={() => query.refetch()} />
}

function NotRefreshed({ error, at }: { error: unknown; at: number | undefined }) {
  // Without any response the frame of the page says so, once.
  if (statusOf(error) === 0) return null
  return (
    <p role="status" className="px-4 py-2 text-failed text-xs">
      Could not refresh: {messageOf(error)}
      {at !== undefined && ` Last updated ${readerClockText(at)}.`}
    </p>
  )
}

export function Badge({
  children,
  tone = 'soft',
}: {
  children: ReactNode
  tone?: 'soft' | 'accent' | 'failed' | 'sent' | 'sending' | 'doubt'
}) {
  const tones = {
    soft: 'border-line-strong text-soft',
    accent: 'border-accent/50 text-accent',
    failed: 'border-failed/50 text-failed',
    sent: 'border-sent/50 text-sent',
    sending: 'border-sending/50 text-sending',
    doubt: 'border-doubt/50 text-doubt',
  }
  return (
    <span
      className={`inline-flex items-center whitespace-nowrap rounded border px-1 text-2xs leading-4 ${tones[tone]}`}
    >
      {children}
    </span>
  )
}

export function Note({ children, tone = 'accent' }: { children: ReactNode; tone?: 'accent' | 'failed' }) {
  const look = tone === 'accent' ? 'border-accent-fill bg-accent-wash' : 'border-failed-fill bg-failed-wash'
  return <div className={`rounded-r-md border-l-2 px-3 py-2 ${look}`}>{children}</div>
}
