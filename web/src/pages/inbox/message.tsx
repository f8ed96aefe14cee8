// One received message: text, body, headers and signature.
import { useState } from 'react'
import { TEST_MESSAGE } from '../../api/occasions.ts'
import type { InboxItem } from '../../api/settings-types.ts'
import { dateText, latencyText, retryText, typeText } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { Link } from '../../router.tsx'
import { Code, prettyJson } from '../../ui/code.tsx'
import { Choices } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Signature } from './signature.tsx'

type View = 'message' | 'raw' | 'headers' | 'signature'

const VIEWS: Record<View, string> = {
  message: 'Message',
  raw: 'Raw',
  headers: 'Headers',
  signature: 'Signature',
}

export function Message({ item }: { item: InboxItem }) {
  const [view, setView] = useState<View>('message')
  return (
    <Panel title="Message" aside={<Choices label="View" value={view} choices={VIEWS} onChange={setView} />}>
      {view === 'message' && <Rendered item={item} />}
      {view === 'raw' && <Code label="Body">{prettyJson(item.body)}</Code>}
      {view === 'headers' && (
        <Code label="Headers">
          {Object.entries(item.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </Code>
      )}
      {view === 'signature' && <Signature item={item} />}
    </Panel>
  )
}

type Body = {
  eventId?: string
  userId?: string
  type?: string
  occurrence?: string
  targetTimestampUTC?: string
  targetTimestampLocal?: string
  timezone?: string
}

function Rendered({ item }: { item: InboxItem }) {
  const body = bodyOf(item.body)
  return (
    <div className="space-y-4">
      <p className="whitespace-pre-wrap font-serif text-2xl leading-snug">{item.message ?? item.body}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {body.type !== undefined && (
          <>
            <dt className="text-soft">Event</dt>
            <dd>
              {body.type === TEST_MESSAGE ? (
                'Test message, not kept in the history'
              ) : body.eventId === undefined ? (
                typeText(body.type)
              ) : (
                <Link to={`event/${body.eventId}`} className="text-accent hover:underline">
                  {typeText(body.type)}
                  {body.targetTimestampLocal && `, ${dateText(body.targetTimestampLocal)}`}
                  {body.occurrence && retryText(body.occurrence)}
                </Link>
              )}
            </dd>
          </>
        )}
        {body.targetTimestampUTC !== undefined && body.timezone !== undefined && (
          <>
            <dt className="text-soft">Due</dt>
            <dd>
              <LocalTime
                at={body.targetTimestampUTC}
                local={body.targetTimestampLocal}
                timezone={body.timezone}
              />
            </dd>
          </>
        )}
        <dt className="text-soft">Received</dt>
        <dd>
          <Ago at={item.receivedAt} utc />
          {body.targetTimestampUTC !== undefined &&
            `, ${delayText(body.targetTimestampUTC, item.receivedAt)}`}
        </dd>
        <dt className="text-soft">Deliveries</dt>
        <dd>
          {item.timesRejected > 0 && `${item.timesRejected} rejected, `}
          {item.timesReceived} accepted
          {item.timesRejected + item.timesReceived > 1 && ', one message'}
        </dd>
        <dt className="text-soft">Idempotency key</dt>
        <dd className="break-all font-mono text-xs">{item.idempotencyKey ?? 'none'}</dd>
      </dl>
    </div>
  )
}

function delayText(dueAt: string, receivedAt: string): string {
  return `${latencyText(Math.max(0, Date.parse(receivedAt) - Date.parse(dueAt)))} after it was due`
}

function bodyOf(text: string): Body {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
