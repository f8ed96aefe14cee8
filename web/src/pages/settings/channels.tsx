// The channels, and the form that adds one.
import { useState } from 'react'
import { useChannels } from '../../api/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, Loaded, Note, Panel } from '../../ui/panel.tsx'
import { ChannelItem } from './channel-item.tsx'
import { NewChannel } from './new-channel.tsx'

type Secret = { name: string; text: string }

export function Channels() {
  const channels = useChannels()
  const [secret, setSecret] = useState<Secret | null>(null)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="space-y-4">
        {secret !== null && <ShownOnce secret={secret} onDone={() => setSecret(null)} />}
        <Panel title="Channels" flush>
          <Loaded query={channels} rows={3}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title="No channels yet.">
                  Messages go to the built-in inbox. Add a channel, or set WEBHOOK_URL.
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
                </ul>
              )
            }
          </Loaded>
        </Panel>
      </div>
      <Panel title="New channel">
        <NewChannel onSecret={(name, text) => setSecret({ name, text })} />
      </Panel>
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
