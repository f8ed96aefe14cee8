// Channels: test, pause, resume and rotate the secret.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { KEYS } from '../../api/query-keys.ts'
import { rotateSecret, switchChannel, testChannel, useChannels } from '../../api/settings.ts'
import type { Channel } from '../../api/settings-types.ts'
import { latencyText } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Badge, Empty, Loaded, Note, Panel } from '../../ui/panel.tsx'
import { notifyError } from '../../ui/toast.tsx'
import { NewWebhook } from './new-webhook.tsx'

export function Channels() {
  const channels = useChannels()
  const [secret, setSecret] = useState<{ name: string; text: string } | null>(null)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="space-y-4">
        {secret !== null && <Secret secret={secret} />}
        <Panel title="Channels" flush>
          <Loaded query={channels} rows={3}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title="No channels yet.">
                  Messages go to the built-in inbox. Add a webhook, or set WEBHOOK_URL.
                </Empty>
              ) : (
                <ul className="divide-y divide-line">
                  {items.map((channel) => (
                    <Item
                      key={channel.id}
                      channel={channel}
                      onSecret={(text) => setSecret({ name: channel.name, text })}
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Panel>
      </div>
      <Panel title="New webhook">
        <NewWebhook onSecret={(name, text) => setSecret({ name, text })} />
      </Panel>
    </div>
  )
}

function Secret({ secret }: { secret: { name: string; text: string } }) {
  return (
    <Note>
      <p className="mb-2 font-medium">Signing secret for {secret.name}. It is shown only once.</p>
      <Code label="Copy it to your receiver">{secret.text}</Code>
    </Note>
  )
}

function Item({ channel, onSecret }: { channel: Channel; onSecret: (text: string) => void }) {
  const [rotating, setRotating] = useState(false)
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: KEYS.channels })
  const isActive = channel.status === 'ACTIVE'
  const testing = useMutation({ mutationFn: () => testChannel(channel.id), onError: notifyError })
  const switching = useMutation({
    mutationFn: () => switchChannel(channel.id, isActive ? 'pause' : 'resume'),
    onError: notifyError,
    onSettled: renew,
  })
  const renewing = useMutation({
    mutationFn: () => rotateSecret(channel.id),
    onSuccess: ({ secret }) => secret !== null && onSecret(secret),
    onError: notifyError,
    onSettled: () => {
      setRotating(false)
      void renew()
    },
  })
  const tested = testing.data
  return (
    <li className="space-y-2 px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{channel.name}</span>
            <Badge>{channel.kind}</Badge>
            {channel.isDefault && <Badge tone="accent">default</Badge>}
            {channel.managedByEnvironment && <Badge>from environment</Badge>}
            <Badge tone={isActive ? 'sent' : 'failed'}>{channel.status.toLowerCase()}</Badge>
          </p>
          <p className="break-all font-mono text-soft text-xs">{channel.url ?? channel.from}</p>
          <p className="text-soft text-xs">
            {channel.statusReason !== null && `${channel.statusReason}. `}
            {channel.secrets.length === 0 ? 'Not signed.' : <Secrets secrets={channel.secrets} />}
          </p>
        </div>
        <div className="flex flex-wrap gap-1">
          <Button busy={testing.isPending} onClick={() => testing.mutate()}>
            Test
          </Button>
          <Button
            icon={isActive ? 'pause' : 'play'}
            busy={switching.isPending}
            onClick={() => switching.mutate()}
          >
            {isActive ? 'Pause' : 'Resume'}
          </Button>
          {channel.kind === 'webhook' && !channel.managedByEnvironment && (
            <Button icon="key" onClick={() => setRotating(true)}>
              Rotate secret
            </Button>
          )}
        </div>
      </div>
      {tested !== undefined && (
        <p role="status" className={tested.delivered ? 'text-sent' : 'text-failed'}>
          {tested.delivered ? 'Test delivered' : 'Test failed'}
          {tested.statusCode === null ? '' : `: ${tested.statusCode}`}, {latencyText(tested.tookMs)}.{' '}
          {tested.error !== null && <span className="break-words font-mono text-xs">{tested.error}</span>}
        </p>
      )}
      {rotating && (
        <Confirm
          title={`Rotate the secret of ${channel.name}?`}
          action="Rotate"
          busy={renewing.isPending}
          onClose={() => setRotating(false)}
          onConfirm={() => renewing.mutate()}
        >
          <p>
            Deliveries will carry two signatures, with the new and the old secret. The old secret expires in
            24 hours: update your receiver before then.
          </p>
        </Confirm>
      )}
    </li>
  )
}

function Secrets({ secrets }: { secrets: Channel['secrets'] }) {
  return (
    <>
      {secrets.length === 1 ? '1 secret, created' : `${secrets.length} secrets, latest created`}{' '}
      <Ago
        at={
          secrets
            .map(({ createdAt }) => createdAt)
            .sort()
            .at(-1)!
        }
      />
      .
    </>
  )
}
