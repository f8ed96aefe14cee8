// The audit log: who did what, from where, and what was rejected.
import { useState } from 'react'
import { AUDIT_ACTIONS } from '../../../../src/domain/access/audit.ts'
import { type AuditFilter, useAudit } from '../../api/audit.ts'
import type { AuditEntry } from '../../api/settings-types.ts'
import { Ago } from '../../clock/local-time.tsx'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Badge, Empty, Loaded, Panel } from '../../ui/panel.tsx'
import { Scrollable } from '../../ui/scrollable.tsx'

const NO_FILTER: AuditFilter = { action: '', actor: '', object: '' }

export function AuditLog() {
  const [filter, setFilter] = useState(NO_FILTER)
  /** The cursors of the pages before this one. */
  const [earlier, setEarlier] = useState<readonly string[]>([])
  const cursor = earlier.at(-1) ?? ''
  const entries = useAudit(filter, cursor)
  function change(part: Partial<AuditFilter>) {
    setFilter({ ...filter, ...part })
    setEarlier([])
  }
  return (
    <Panel title="Audit log" aside="Newest first. Contains ids, no names." flush>
      <div className="grid gap-3 border-line border-b px-4 py-3 sm:grid-cols-3">
        <Select
          label="Action"
          value={filter.action}
          onChange={(e) =>
            change({ action: AUDIT_ACTIONS.find((action) => action === e.target.value) ?? '' })
          }
        >
          <option value="">All actions</option>
          {AUDIT_ACTIONS.map((action) => (
            <option key={action} value={action}>
              {inWords(action)}
            </option>
          ))}
        </Select>
        <Input
          label="Actor"
          placeholder="key:…, session:…, cli"
          value={filter.actor}
          onChange={(e) => change({ actor: e.target.value.trim() })}
        />
        <Input
          label="Object id"
          value={filter.object}
          onChange={(e) => change({ object: e.target.value.trim() })}
        />
      </div>
      <Loaded query={entries} rows={6}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? <Empty title="No entries." /> : <Entries items={items} onFilter={change} />}
            {(nextCursor !== null || earlier.length > 0) && (
              <div className="flex justify-end gap-2 border-line border-t px-4 py-3">
                <Button disabled={earlier.length === 0} onClick={() => setEarlier(earlier.slice(0, -1))}>
                  Newer
                </Button>
                <Button
                  disabled={nextCursor === null}
                  onClick={() => nextCursor !== null && setEarlier([...earlier, nextCursor])}
                >
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

type OnFilter = (part: Partial<AuditFilter>) => void

function Entries({ items, onFilter }: { items: readonly AuditEntry[]; onFilter: OnFilter }) {
  return (
    <Scrollable label="Audit log entries">
      <table className="w-full min-w-[56rem] text-left text-sm">
        <thead className="text-soft text-xs">
          <tr className="border-line border-b">
            {['Time', 'Action', 'Actor', 'Address', 'Object'].map((title) => (
              <th key={title} scope="col" className="px-4 py-2 font-normal">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {items.map((entry) => (
            <Row key={entry.id} entry={entry} onFilter={onFilter} />
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}

function Row({ entry, onFilter }: { entry: AuditEntry; onFilter: OnFilter }) {
  const { at, action, actor, address, object, result, status, count, details } = entry
  return (
    <tr>
      <td className="whitespace-nowrap px-4 py-2 text-soft">
        <Ago at={at} />
      </td>
      <td className="px-4 py-2">
        <span className="flex flex-wrap items-center gap-2">
          {inWords(action)}
          {result === 'rejected' && <Badge tone="failed">rejected {status}</Badge>}
          {count > 1 && <Badge>{count} times</Badge>}
        </span>
        {details !== null && <span className="text-soft text-xs">{detailsText(details)}</span>}
      </td>
      <td className="px-4 py-2">
        {actor === null ? (
          <span className="text-soft">no key</span>
        ) : (
          <Id text={actor} onClick={() => onFilter({ actor })} />
        )}
      </td>
      <td className="whitespace-nowrap px-4 py-2 tabular-nums">{address ?? '–'}</td>
      <td className="px-4 py-2">
        {object === null ? (
          '–'
        ) : (
          <span className="whitespace-nowrap">
            {object.kind} <Id text={object.id} onClick={() => onFilter({ object: object.id })} />
          </span>
        )}
      </td>
    </tr>
  )
}

/** The last part of an id, which ids of one process share. */
const LAST_PART = /-[0-9a-f]{12}$/

/** Filters by the id when clicked. */
function Id({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <button
      type="button"
      data-tip={text}
      onClick={onClick}
      className="whitespace-nowrap font-mono text-xs hover:underline"
    >
      {text.replace(LAST_PART, '…')}
    </button>
  )
}

/** `Key created` for `key.created`. */
function inWords(action: string): string {
  const words = action.replace('.', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function detailsText(details: NonNullable<AuditEntry['details']>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
