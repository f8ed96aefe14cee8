// One channel of the list: its state, and a test.
import { testChannel } from '../../api/settings.ts'
import type { Channel, ChannelTest } from '../../api/settings-types.ts'
import { latencyText, utcText } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useNowFor } from '../../clock/now.ts'
import { downText } from '../../shell/stopped-text.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Code, prettyJson } from '../../ui/code.tsx'
import { Badge } from '../../ui/panel.tsx'
import { ChannelActions } from './channel-actions.tsx'
import { DetailsLink, ProbeButton, StatusBadge } from './channel-state.tsx'

const KINDS: Record<Channel['kind'], string> = { webhook: 'webhook', smtp: 'SMTP', resend: 'mail API' }

type Props = {
  channel: Channel
  /** In the panel of the channel, which states the outage itself. */
  isAlone?: boolean
  onSecret: (text: string) => void
}

export function ChannelItem({ channel, isAlone = false, onSecret }: Props) {
  const testing = useAction(() => testChannel(channel.id), { refetches: [] })
  return (
    <li className="space-y-2 px-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{channel.name}</span>
          <Badge>{KINDS[channel.kind]}</Badge>
          {channel.isDefault && <Badge tone="accent">default</Badge>}
          {channel.managedByEnvironment && <Badge>from environment</Badge>}
          <StatusBadge channel={channel} />
        </p>
        <p className="break-all font-mono text-soft text-xs">{channel.url ?? channel.from}</p>
        {!isAlone && channel.status === 'ACTIVE' && channel.downSince !== null && <Down channel={channel} />}
        <p className="text-soft text-xs">
          {channel.statusReason !== null && `${channel.statusReason}. `}
          {channel.heldUntil !== null && `Until ${utcText(Date.parse(channel.heldUntil))}. `}
          {limitsText(channel)}
          <Secrets channel={channel} />
        </p>
      </div>
      <div className="flex flex-wrap gap-1">
        {!isAlone && <DetailsLink id={channel.id} />}
        <Button busy={testing.isPending} onClick={() => testing.mutate()}>
          Test
        </Button>
        <ProbeButton channel={channel} />
        <ChannelActions channel={channel} onSecret={onSecret} />
      </div>
      {testing.data !== undefined && <TestResult tested={testing.data} />}
    </li>
  )
}

function Down({ channel: { downSince, lastError } }: { channel: Channel }) {
  const now = useNowFor(Date.parse(downSince!))
  return (
    <p className="text-failed text-xs">Its destination has been {downText(downSince!, lastError, now)}.</p>
  )
}

/** `At most 50 per second, 5 at a time. ` */
function limitsText({ perSecond, concurrency }: Channel): string {
  const limits = [
    ...(perSecond === null ? [] : [`${perSecond.toLocaleString('en')} per second`]),
    ...(concurrency === null ? [] : [`${concurrency.toLocaleString('en')} at a time`]),
  ]
  return limits.length === 0 ? '' : `At most ${limits.join(', ')}. `
}

function TestResult({ tested }: { tested: ChannelTest }) {
  const { delivered, statusCode, error, response, tookMs } = tested
  return (
    <div role="status" className="space-y-2">
      <p className={delivered ? 'text-sent' : 'text-failed'}>
        {delivered ? 'Test delivered' : 'Test failed'}
        {statusCode === null ? '' : `: ${statusCode}`}, {latencyText(tookMs)}.{' '}
        {error !== null && <span className="break-words font-mono text-xs">{error}</span>}
      </p>
      {response !== null && response.trim() !== '' && (
        <Code label="What the server responded">{prettyJson(response)}</Code>
      )}
    </div>
  )
}

function Secrets({ channel: { kind, secrets } }: { channel: Channel }) {
  const latest = secrets
    .map(({ createdAt }) => createdAt)
    .sort()
    .at(-1)
  if (latest === undefined) return kind === 'webhook' ? 'Not signed.' : null
  return (
    <>
      {secrets.length === 1 ? '1 secret, created' : `${secrets.length} secrets, latest created`}{' '}
      <Ago at={latest} />.
    </>
  )
}
