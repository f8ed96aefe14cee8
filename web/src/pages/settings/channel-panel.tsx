// One channel: its settings and buttons, its state, the figures of the last 24 hours, and its latest messages.
import { INBOX_CHANNEL } from '../../../../src/domain/settings/channel.ts'
import { isNotFound } from '../../api/client.ts'
import { useEvents } from '../../api/events.ts'
import { useChannelHealth, useChannels } from '../../api/settings.ts'
import type { ChannelHealth } from '../../api/settings-types.ts'
import { count, latencyText } from '../../clock/format.ts'
import { useNowFor } from '../../clock/now.ts'
import { Link } from '../../router.tsx'
import { effectText, stateText } from '../../shell/stopped-text.ts'
import { Empty, Loaded, Panel } from '../../ui/panel.tsx'
import { messagesPath } from '../messages/filter.ts'
import { MessageRow } from '../messages/message-row.tsx'
import { Figure } from '../today/counts.tsx'
import { ChannelItem } from './channel-item.tsx'
import { HoldButton, ProbeButton, StatusBadge } from './channel-state.tsx'
import { InboxItem } from './inbox-item.tsx'

type Props = { id: string; onSecret: (name: string, text: string) => void }

export function ChannelPanel({ id, onSecret }: Props) {
  const health = useChannelHealth(id)
  const channel = useChannels().data?.items.find((one) => one.id === id)
  return (
    <div className="space-y-4">
      <p>
        <Link to="settings/channels" className="text-soft hover:text-ink">
          ← All channels
        </Link>
      </p>
      {isNotFound(health.error) ? (
        <Empty title="Channel not found.">It may have been deleted.</Empty>
      ) : (
        <Loaded query={health} rows={6}>
          {(data) => (
            <>
              <Panel flush>
                <ul>
                  {channel !== undefined ? (
                    <ChannelItem
                      isAlone
                      channel={channel}
                      onSecret={(text) => onSecret(channel.name, text)}
                    />
                  ) : id === INBOX_CHANNEL ? (
                    <InboxItem isAlone />
                  ) : (
                    <li className="flex flex-wrap items-center gap-2 px-4 py-3">
                      <span className="font-medium">{data.name}</span>
                      <StatusBadge channel={data} />
                      <ProbeButton channel={data} />
                      <HoldButton channel={data} />
                    </li>
                  )}
                </ul>
              </Panel>
              <Figures health={data} />
              <LastMessages health={data} />
            </>
          )}
        </Loaded>
      )}
    </div>
  )
}

function Figures({ health }: { health: ChannelHealth }) {
  const { waiting, last24h } = health
  const { delivered, failed, latency } = last24h
  const settled = delivered + failed
  const ofAll = settled === 0 ? 'No message ended' : `${delivered} of ${count(settled, 'message')} delivered`
  return (
    <section aria-label="State and figures" className="space-y-2">
      <State health={health} />
      <dl className="grid grid-cols-2 divide-line overflow-hidden rounded-lg border border-line bg-panel md:flex md:divide-x">
        <Figure
          label="Waiting"
          tip="Messages that wait for this channel"
          tone={waiting > 0 ? 'text-sending' : ''}
        >
          {waiting.toLocaleString('en')}
        </Figure>
        <Figure
          label="Success (24 h)"
          tip={`${ofAll} in the last 24 hours`}
          tone={settled === 0 ? '' : failed === 0 ? 'text-sent' : 'text-failed'}
        >
          {settled === 0 ? '–' : percent(delivered / settled)}
        </Figure>
        <Figure label="Median latency (24 h)" tip={LATENCY_TIP}>
          {latency === null ? '–' : latencyText(latency.p50Ms)}
        </Figure>
        <Figure label="p95 latency (24 h)" tip={LATENCY_TIP}>
          {latency === null ? '–' : latencyText(latency.p95Ms)}
        </Figure>
      </dl>
    </section>
  )
}

const LATENCY_TIP = 'How long the last attempt of a delivered message took, from its claim to the response'

/** Rounded down: 100% means that no message failed. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10}%`
}

function State({ health }: { health: ChannelHealth }) {
  const { status, downSince, nextProbeAt, lastError, ...more } = health
  const now = useNowFor(nextProbeAt === null ? 0 : Date.parse(nextProbeAt))
  if (status === 'ACTIVE' && downSince === null)
    return <p className="text-soft">Its messages are sent when they are due. No outage is known.</p>
  const stopped =
    status === 'ACTIVE'
      ? { ...more, status: 'DOWN' as const, statusReason: lastError, since: downSince, nextProbeAt }
      : { ...more, status, since: null, nextProbeAt: null }
  return (
    <p className="text-failed">
      This channel {stateText(stopped, now)}. {effectText(stopped, now)}
    </p>
  )
}

const SHOWN = 10

function LastMessages({ health: { id } }: { health: ChannelHealth }) {
  const status = 'PROCESSING,COMPLETED,FAILED'
  const events = useEvents({ channel: id, status, order: 'newest', limit: SHOWN })
  const all = (
    <Link to={messagesPath({ channel: id })} className="underline">
      All messages
    </Link>
  )
  return (
    <Panel title={`Last ${SHOWN} messages`} aside={all} flush>
      <Loaded query={events} rows={SHOWN}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No messages yet." />
          ) : (
            <ul className="divide-y divide-line">
              {items.map((event) => (
                <MessageRow key={event.id} message={event} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
