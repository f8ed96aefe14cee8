// Pauses, resumes, retries or deletes for many people at once, after a dry run has counted them.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type BulkAction, type BulkRequest, countBulk, runBulk } from '../../../api/bulk.ts'
import { messageOf } from '../../../api/client.ts'
import type { PeopleFilter } from '../../../api/people.ts'
import { useMayManage } from '../../../api/session.ts'
import { count, typeCode, typeText } from '../../../clock/format.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { useDebounced } from '../../../ui/debounced.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Input } from '../../../ui/field.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { HoldDialog } from '../../today/hold.tsx'
import { confirms } from './confirms.ts'

// Loaded on first use, so that the list is light.
const AddOccasion = lazy(() =>
  import('./add-occasion.tsx').then((module) => ({ default: module.AddOccasion })),
)

/** The people of an action, and who they are in words. */
type Audience = { filter: PeopleFilter; text: string }

const ACTIONS: Readonly<Record<BulkAction, { title: string; verb: string; short: string }>> = {
  pause: { title: 'Pause occasions', verb: 'Pause', short: 'Pause…' },
  resume: { title: 'Resume occasions', verb: 'Resume', short: 'Resume…' },
  replay: { title: 'Retry failed messages', verb: 'Retry', short: 'Retry failed…' },
  delete: { title: 'Delete people', verb: 'Delete', short: 'Delete…' },
}
const KINDS = Object.keys(ACTIONS) as BulkAction[]

type BulkActionsProps = {
  audience: Audience
  /** A button for each action instead of a menu. */
  asButtons: boolean
  onDone: () => void
}

export function BulkActions({ audience, asButtons, onDone }: BulkActionsProps) {
  const [kind, setKind] = useState<BulkAction | 'hold' | 'occasion' | null>(null)
  const close = () => setKind(null)
  return (
    <>
      {asButtons ? (
        <>
          <Button onClick={() => setKind('occasion')}>Add occasion…</Button>
          {KINDS.map((one) => (
            <Button key={one} look={one === 'delete' ? 'danger' : 'plain'} onClick={() => setKind(one)}>
              {ACTIONS[one].short}
            </Button>
          ))}
        </>
      ) : (
        <Menu label="Bulk actions">
          {(close) =>
            KINDS.map((one) => (
              <MenuItem
                key={one}
                danger={one === 'delete'}
                onClick={() => {
                  close()
                  setKind(one)
                }}
              >
                {ACTIONS[one].title}…
              </MenuItem>
            ))
          }
        </Menu>
      )}
      {kind === 'hold' && <HoldDialog onClose={close} />}
      {kind === 'occasion' && (
        <Suspense>
          <AddOccasion {...{ audience, onDone }} onClose={close} />
        </Suspense>
      )}
      {kind !== null && kind !== 'hold' && kind !== 'occasion' && (
        <BulkDialog {...{ kind, audience, onDone }} onClose={close} onHold={() => setKind('hold')} />
      )}
    </>
  )
}

type BulkDialogProps = {
  kind: BulkAction
  audience: Audience
  onDone: () => void
  onClose: () => void
  /** Holds all messages instead. */
  onHold: () => void
}

function BulkDialog({ kind, audience, onDone, onClose, onHold }: BulkDialogProps) {
  const mayManage = useMayManage()
  const [type, setType] = useState('')
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState(0)
  const [done, setDone] = useState(0)
  const request = { kind, filter: audience.filter, type: useDebounced(typeCode(type)) }
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
    onSuccess: onDone,
    onSettled: onClose,
  })
  const n = counted.data
  const { title, verb } = ACTIONS[kind]
  const mustType = kind === 'delete' && n !== undefined && n > 1
  return (
    <Confirm
      title={title}
      action={n === undefined ? 'Counting…' : `${verb} ${n.toLocaleString('en')}`}
      danger={kind === 'delete'}
      busy={running.isPending}
      disabled={n === undefined || n === 0 || (mustType && !confirms(typed, n))}
      onClose={onClose}
      onConfirm={() => running.mutate()}
    >
      <p>{audience.text}.</p>
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
          ? `${done.toLocaleString('en')} of ${n?.toLocaleString('en') ?? '…'} done.`
          : counted.error !== null
            ? messageOf(counted.error)
            : n === undefined
              ? `Counting: ${found.toLocaleString('en')} so far.`
              : whatHappens(request, n)}
      </p>
      {kind === 'pause' && mayManage && (
        <p className="flex flex-wrap items-center gap-2 text-soft">
          To send them later instead: <Button onClick={onHold}>Hold messages…</Button>
        </p>
      )}
      {kind === 'delete' && n !== 0 && (
        <p className="text-failed">This permanently deletes them and their history. It can’t be undone.</p>
      )}
      {mustType && (
        <Input
          label={`Type ${n.toLocaleString('en')} or “delete” to confirm`}
          autoComplete="off"
          autoFocus
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Confirm>
  )
}

function whatHappens({ kind, filter, type }: BulkRequest, n: number): string {
  if (kind === 'delete') return `${count(n, 'person', 'people')} will be deleted.`
  if (kind === 'replay')
    return `${count(n, 'failed message')} will be sent again with the same key, except those already retried.`
  const kinds = type === '' ? '' : `${typeText(type).toLowerCase()} `
  const then =
    kind === 'pause'
      ? ' What falls due while they are paused is not sent later. Messages that wait for a retry or for their channel fail with OCCASION_PAUSED; only one in flight at this moment still goes out.'
      : `${filter.ids === undefined ? ' What was paused one by one stays paused.' : ''} Missed messages are not sent.`
  return `${count(n, `${kinds}occasion`)} will be ${kind}d.${then}`
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
