// The latest deliveries.
import { useState } from 'react'
import type { RecentEvent } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/panel.tsx'
import { MessageRow } from '../messages/message-row.tsx'

const SHOWN_AT_FIRST = 15

export function Deliveries({ recent }: { recent: readonly RecentEvent[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? recent : recent.slice(0, SHOWN_AT_FIRST)
  if (recent.length === 0) {
    return <Empty title="No messages sent yet.">Messages appear here as they are sent.</Empty>
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((event) => (
          <MessageRow key={event.id} message={event} arrives />
        ))}
      </ul>
      {recent.length > shown.length && (
        <div className="border-line border-t p-2 text-center">
          <Button look="quiet" onClick={() => setAll(true)}>
            Show {recent.length - shown.length} more
          </Button>
        </div>
      )}
    </>
  )
}
