// One thing done to everybody who matches the filter, counted before it is done.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type BulkKind, countBulk, runBulk } from '../api/bulk.ts'
import { messageOf } from '../api/client.ts'
import type { PeopleFilter } from '../api/people.ts'
import { renewAll } from '../api/renew.ts'
import { cityOf, count, typeText } from '../clock/format.ts'
import { useDebounced } from '../ui/debounced.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Input } from '../ui/field.tsx'
import { complain, say } from '../ui/toast.tsx'

const ACTIONS: readonly { kind: BulkKind; label: string }[] = [
  { kind: 'pause', label: 'Pause occasions…' },
  { kind: 'resume', label: 'Resume occasions…' },
  { kind: 'replay', label: 'Send failed ones again…' },
  { kind: 'delete', label: 'Delete people…' },
]

export function BulkActions({ filter, isFiltered }: { filter: PeopleFilter; isFiltered: boolean }) {
  const [kind, setKind] = useState<BulkKind | null>(null)
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const isInside = event.target instanceof Node && menu.current?.contains(event.target)
      if (menu.current !== null && !isInside) menu.current.open = false
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [])
  const choose = (chosen: BulkKind) => {
    if (menu.current !== null) menu.current.open = false
    setKind(chosen)
  }
  return (
    <>
      <details ref={menu} className="relative">
        <summary className="inline-flex h-8 list-none items-center rounded-md border border-line-strong bg-panel px-2.5 hover:bg-raised max-md:h-10">
          {isFiltered ? 'All who match' : 'Everybody'} …
        </summary>
        <div className="absolute right-0 z-20 mt-1 flex w-56 flex-col rounded-lg border border-line-strong bg-panel p-1 shadow-float">
          {ACTIONS.map((action) => (
            <button
              key={action.kind}
              type="button"
              onClick={() => choose(action.kind)}
              className={`rounded px-3 py-1.5 text-left hover:bg-raised ${action.kind === 'delete' ? 'text-failed' : ''}`}
            >
              {action.label}
            </button>
          ))}
        </div>
      </details>
      {kind !== null && <BulkDialog kind={kind} filter={filter} onClose={() => setKind(null)} />}
    </>
  )
}

function whom({ search, timezone }: PeopleFilter): string {
  const parts = [search && `with “${search}” in their name`, timezone && `in ${cityOf(timezone)}`].filter(
    Boolean,
  )
  return parts.length === 0 ? 'Everybody on file' : `Everybody ${parts.join(', ')}`
}

function BulkDialog({
  kind,
  filter,
  onClose,
}: {
  kind: BulkKind
  filter: PeopleFilter
  onClose: () => void
}) {
  const [type, setType] = useState('')
  const [found, setFound] = useState(0)
  const [done, setDone] = useState(0)
  const client = useQueryClient()
  const request = { kind, filter, type: useDebounced(type.trim().toUpperCase()) }
  const counted = useQuery({
    queryKey: ['bulk', request],
    queryFn: ({ signal }) =>
      countBulk(request, (n) => {
        signal.throwIfAborted()
        setFound(n)
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { live: false },
  })
  const running = useMutation({
    mutationFn: () => runBulk(request, setDone),
    onSuccess: (n) => say(outcome(kind, n)),
    onError: complain,
    onSettled: () => {
      void renewAll(client)
      onClose()
    },
  })
  const n = counted.data
  return (
    <Confirm
      title={titleOf(kind)}
      action={n === undefined ? 'Counting…' : actionOf(kind, n)}
      danger={kind === 'delete'}
      busy={running.isPending}
      disabled={n === undefined || n === 0}
      onClose={onClose}
      onConfirm={() => running.mutate()}
    >
      <p>{whom(filter)}.</p>
      {(kind === 'pause' || kind === 'resume') && (
        <Input
          label="Only of this kind"
          placeholder="every kind, or such as BIRTHDAY"
          value={type}
          onChange={({ target }) => setType(target.value)}
        />
      )}
      <p aria-live="polite" className="font-medium">
        {running.isPending
          ? `${done} of ${n ?? '…'} done.`
          : counted.error !== null
            ? messageOf(counted.error)
            : n === undefined
              ? `Counting who that is: ${found.toLocaleString('en')} so far.`
              : whatHappens(kind, n, request.type)}
      </p>
      {kind === 'delete' && n !== 0 && (
        <p className="text-failed">For good, with all their events. There is no undo for many.</p>
      )}
    </Confirm>
  )
}

/** The server deletes no more with one request. */
const MOST_DELETED = 10_000

function titleOf(kind: BulkKind): string {
  const titles = {
    delete: 'Delete people',
    pause: 'Pause occasions',
    resume: 'Resume occasions',
    replay: 'Send failed ones again',
  }
  return titles[kind]
}

function whatHappens(kind: BulkKind, n: number, type: string): string {
  if (kind === 'delete') {
    const rest = n >= MOST_DELETED ? ' There are more: that is as many as go at once.' : ''
    return `${count(n, 'person', 'people')} would be deleted.${rest}`
  }
  if (kind === 'replay')
    return `${count(n, 'failed event')} would be sent again under their keys, unless that was done already.`
  const kinds = type === '' ? '' : `${typeText(type).toLowerCase()} `
  const then = kind === 'pause' ? ' What is on its way still goes out.' : ' What passed is not made up.'
  return `${count(n, `${kinds}occasion`)} would be ${kind}d.${then}`
}

function actionOf(kind: BulkKind, n: number): string {
  const verbs = { delete: 'Delete', pause: 'Pause', resume: 'Resume', replay: 'Send again' }
  return `${verbs[kind]} ${n.toLocaleString('en')}`
}

function outcome(kind: BulkKind, n: number): string {
  const words = { delete: 'deleted', pause: 'paused', resume: 'resumed', replay: 'sent again' }
  return `${n.toLocaleString('en')} ${words[kind]}.`
}
