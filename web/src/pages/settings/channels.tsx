// The channels, the form that adds one, and the panel of one channel.
import { useState } from 'react'
import { useMayManage } from '../../api/session.ts'
import { useChannels } from '../../api/settings.ts'
import type { Session } from '../../api/types.ts'
import { useParam } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, Loaded, Note, Panel } from '../../ui/panel.tsx'
import { ChannelItem } from './channel-item.tsx'
import { ChannelPanel } from './channel-panel.tsx'
import { DailyReport } from './daily-report.tsx'
import { InboxItem } from './inbox-item.tsx'
import { NewChannel } from './new-channel.tsx'

type Secret = { name: string; text: string }

export function Channels({ session }: { session: Session }) {
  const channels = useChannels()
  const mayManage = useMayManage()
  const [chosen] = useParam('channel')
  const [secret, setSecret] = useState<Secret | null>(null)
  const shownOnce = secret !== null && <ShownOnce secret={secret} onDone={() => setSecret(null)} />
  if (chosen !== '') {
    return (
      <div className="space-y-4">
        {shownOnce}
        <ChannelPanel key={chosen} id={chosen} onSecret={(name, text) => setSecret({ name, text })} />
      </div>
    )
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="space-y-4">
        {shownOnce}
        <Panel title="Channels" flush>
          <Loaded query={channels} rows={3}>
            {({ items }) =>
              items.length === 0 && !session.inbox ? (
                <Empty title="No channels yet.">
                  Messages wait until there is one. Add a channel, or set WEBHOOK_URL.
                </Empty>
              ) : (
                <ul className="divide-y divide-line">
                  {items.map((channel) => (
                    <ChannelItem
                      key={channel.id}
                      channel={channel}
                      onSecret={(text) => setSecret({ name: channel.name, text })}
                    />
                  ))}
                  {session.inbox && <InboxItem />}
                </ul>
              )
            }
          </Loaded>
        </Panel>
      </div>
      <div className="space-y-4">
        <Panel title="New channel">
          <NewChannel onSecret={(name, text) => setSecret({ name, text })} />
        </Panel>
        {mayManage && <DailyReport />}
      </div>
    </div>
  )
}

function ShownOnce({ secret, onDone }: { secret: Secret; onDone: () => void }) {
  return (
    <Note>
      <p className="mb-2 font-medium">Signing secret for {secret.name}. It is shown only once.</p>
      <Code label="Copy it to your receiver" wraps>
        {secret.text}
      </Code>
      <Button className="mt-2" onClick={onDone}>
        Done
      </Button>
    </Note>
  )
}
