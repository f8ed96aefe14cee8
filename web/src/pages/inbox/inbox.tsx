// The inbox page: messages received during development, and a simulated outage.
import { useState } from 'react'
import { clearInbox, useInbox } from '../../api/inbox.ts'
import { KEYS } from '../../api/query-keys.ts'
import { useChannels } from '../../api/settings.ts'
import type { Inbox, InboxItem } from '../../api/settings-types.ts'
import type { Session } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { Link, useParam } from '../../router.tsx'
import { useAction } from '../../ui/action.ts'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Badge, Empty, Loaded, Note, PageTitle, Panel } from '../../ui/panel.tsx'
import { GoLive } from './go-live.tsx'
import { Message } from './message.tsx'
import { SimulateOutage } from './simulate-outage.tsx'

export function InboxPage({ session }: { session: Session }) {
  const [cursor] = useParam('cursor')
  const inbox = useInbox({ cursor, enabled: session.inbox })
  const channels = useChannels({ enabled: session.inbox }).data?.items
  const target = channels?.find(({ isDefault }) => isDefault)?.name
  const clearing = useAction(clearInbox, { refetches: [KEYS.inbox] })
  if (!session.inbox) {
    return (
      <Empty title="No inbox on this server.">
        Messages go to a real address. The inbox is for development, when WEBHOOK_URL is not set.
      </Empty>
    )
  }
  return (
    <>
      <PageTitle
        title="Inbox"
        actions={
          <DeleteButton
            wide
            label="Clear"
            title="Clear the inbox?"
            action="Clear"
            busy={clearing.isPending}
            onConfirm={() => clearing.mutate()}
          >
            <p>The received messages are removed from this page. Events and their history stay.</p>
          </DeleteButton>
        }
      >
        A built-in receiver for development, kept in memory. Duplicates with the same idempotency key are
        shown once.
      </PageTitle>
      <Loaded query={inbox} rows={8}>
        {(data) => (
          <div className="space-y-4">
            {target !== undefined && (
              <Note>
                Messages go to {target}, the default channel. None arrive here.{' '}
                <Link to="settings/channels" className="underline">
                  Channels
                </Link>
              </Note>
            )}
            {channels !== undefined && (target === undefined || data.mode !== 'accept') && (
              <SimulateOutage inbox={data} />
            )}
            <Messages inbox={data} cursor={cursor} isTarget={target === undefined} />
            <GoLive isOpen={session.open} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function keyOf(item: InboxItem, index: number): string {
  return item.idempotencyKey ?? `${item.receivedAt} ${index}`
}

function Messages({ inbox, cursor, isTarget }: { inbox: Inbox; cursor: string; isTarget: boolean }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { items } = inbox
  const open = items.find((item, index) => keyOf(item, index) === chosen) ?? items[0]
  if (open === undefined) {
    return (
      <Panel>
        {isTarget ? (
          <Empty title="No messages yet.">
            Load demo people on Today: the first message arrives within a minute.
          </Empty>
        ) : (
          <Empty title="No messages." />
        )}
      </Panel>
    )
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <Panel title={count(inbox.total, 'message')} aside="newest first" flush>
        <ul className="max-h-72 lg:max-h-[34rem] divide-y divide-line overflow-y-auto">
          {items.map((item, index) => (
            <li key={keyOf(item, index)}>
              <button
                type="button"
                data-row
                aria-current={item === open ? 'true' : undefined}
                onClick={() => setChosen(keyOf(item, index))}
                className="flex w-full animate-arrive flex-col gap-0.5 px-4 py-2 text-left hover:bg-raised aria-[current]:bg-raised"
              >
                <span className="w-full truncate">{item.message ?? item.body}</span>
                <span className="flex flex-wrap items-center gap-2 text-soft text-xs">
                  <Ago at={item.receivedAt} utc />
                  {item.timesRejected > 0 && (
                    <Badge tone="failed">rejected {item.timesRejected}× first</Badge>
                  )}
                  {item.timesReceived > 1 && <Badge tone="doubt">received {item.timesReceived}×</Badge>}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <Pagination cursor={cursor} next={inbox.nextCursor} />
      </Panel>
      <Message key={keyOf(open, 0)} item={open} />
    </div>
  )
}
