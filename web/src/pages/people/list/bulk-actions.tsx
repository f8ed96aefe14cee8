// Actions on all people who match the filter, counted by a dry run first.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BulkAction, countBulk, runBulk } from '../../../api/bulk.ts'
import { messageOf } from '../../../api/client.ts'
import type { PeopleFilter } from '../../../api/people.ts'
import { cityOf, count, typeCode, typeText } from '../../../clock/format.ts'
import { useAction } from '../../../ui/action.ts'
import { useDebounced } from '../../../ui/debounced.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Input } from '../../../ui/field.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'

const ACTIONS: readonly { kind: BulkAction; label: string }[] = [
  { kind: 'pause', label: 'Pause occasions…' },
  { kind: 'resume', label: 'Resume occasions…' },
  { kind: 'replay', label: 'Retry failed messages…' },
  { kind: 'delete', label: 'Delete people…' },
]

export function BulkActions({ filter }: { filter: PeopleFilter }) {
  const [kind, setKind] = useState<BulkAction | null>(null)
  return (
    <>
      <Menu label="Bulk actions">
        {(close) =>
          ACTIONS.map((action) => (
            <MenuItem
              key={action.kind}
              danger={action.kind === 'delete'}
              onClick={() => {
                close()
                setKind(action.kind)
              }}
            >
              {action.label}
            </MenuItem>
          ))
        }
      </Menu>
      {kind !== null && <BulkDialog kind={kind} filter={filter} onClose={() => setKind(null)} />}
    </>
  )
}

function audienceOf({ search, timezone }: PeopleFilter): string {
  const parts = [search && `with “${search}” in their name`, timezone && `in ${cityOf(timezone)}`]
  return ['All people', ...parts.filter(Boolean)].join(' ')
}

function BulkDialog({
  kind,
  filter,
  onClose,
}: {
  kind: BulkAction
  filter: PeopleFilter
  onClose: () => void
}) {
  const [type, setType] = useState('')
  const [found, setFound] = useState(0)
  const [done, setDone] = useState(0)
  const request = { kind, filter, type: useDebounced(typeCode(type)) }
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
  const running = useAction(() => runBulk(request, setDone), {
    says: (n) => outcome(kind, n),
    onSettled: onClose,
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
      <p>{audienceOf(filter)}.</p>
      {(kind === 'pause' || kind === 'resume') && (
        <Input
          label="Occasion type (optional)"
          placeholder="All types, or e.g. Birthday"
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
              ? `Counting: ${found.toLocaleString('en')} so far.`
              : whatHappens(kind, n, request.type)}
      </p>
      {kind === 'delete' && n !== 0 && (
        <p className="text-failed">This permanently deletes them and their history. It can’t be undone.</p>
      )}
    </Confirm>
  )
}

/** The limit of the server for one request. */
const MOST_DELETED = 10_000

function titleOf(kind: BulkAction): string {
  const titles = {
    delete: 'Delete people',
    pause: 'Pause occasions',
    resume: 'Resume occasions',
    replay: 'Retry failed messages',
  }
  return titles[kind]
}

function whatHappens(kind: BulkAction, n: number, type: string): string {
  if (kind === 'delete') {
    const rest =
      n >= MOST_DELETED
        ? ` There are more: at most ${MOST_DELETED.toLocaleString('en')} are deleted at once.`
        : ''
    return `${count(n, 'person', 'people')} will be deleted.${rest}`
  }
  if (kind === 'replay')
    return `${count(n, 'failed message')} will be sent again with the same key, except those already retried.`
  const kinds = type === '' ? '' : `${typeText(type).toLowerCase()} `
  const then =
    kind === 'pause' ? ' Messages already being sent will still go out.' : ' Missed messages are not sent.'
  return `${count(n, `${kinds}occasion`)} will be ${kind}d.${then}`
}

function actionOf(kind: BulkAction, n: number): string {
  const verbs = { delete: 'Delete', pause: 'Pause', resume: 'Resume', replay: 'Retry' }
  return `${verbs[kind]} ${n.toLocaleString('en')}`
}

function outcome(kind: BulkAction, n: number): string {
  const texts = {
    delete: `${count(n, 'person', 'people')} deleted.`,
    pause: `${count(n, 'occasion')} paused.`,
    resume: `${count(n, 'occasion')} resumed.`,
    replay: `Retrying ${count(n, 'message')}.`,
  }
  return texts[kind]
}
