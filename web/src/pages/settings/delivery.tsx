// Send time and retry schedule, set by environment variables. The send time of people who exist can be moved.
import { useState } from 'react'
import type { Session } from '../../api/types.ts'
import { latencyText } from '../../clock/format.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SendTimeDialog } from './send-time.tsx'

export function DeliverySettings({ session }: { session: Session }) {
  const { retries, deliverAt, scope } = session
  const [moving, setMoving] = useState(false)
  return (
    <Panel title="Delivery">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3">
        <dt className="text-soft">Send time of new people</dt>
        <dd>
          {deliverAt} local time <span className="text-soft">(DELIVER_AT)</span>
        </dd>
        <dt className="text-soft">People who exist</dt>
        <dd>
          Each occasion keeps the send time that it was created with.
          {scope !== 'read' && (
            <p className="mt-2">
              <Button onClick={() => setMoving(true)}>Move the send time…</Button>
            </p>
          )}
        </dd>
        <dt className="text-soft">Retries</dt>
        <dd>
          {retries.length === 0 ? (
            'none'
          ) : (
            <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
              {retries.map((ms, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a wait is identified by its position
                <li key={index} className="flex items-center gap-1.5">
                  {index > 0 && <span className="text-faint">·</span>}
                  <span className="whitespace-nowrap rounded border border-line-strong px-1.5 font-mono text-xs">
                    {latencyText(ms).replace('.0 s', ' s')}
                  </span>
                </li>
              ))}
            </ol>
          )}
          <p className="mt-1 text-soft">
            Shortest wait before each retry <span className="whitespace-nowrap">(RETRY)</span>. Actual waits
            are up to half longer, to spread the load. Waiting for a receiver that is down does not use up
            retries.
          </p>
        </dd>
      </dl>
      {moving && <SendTimeDialog deliverAt={deliverAt} onClose={() => setMoving(false)} />}
    </Panel>
  )
}
