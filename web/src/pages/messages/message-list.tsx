// A page of messages with checkboxes, and the retry of the selected ones or of all that match.

import { useState } from 'react'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import type { ListedEvent, ReplayFilter } from '../../api/types.ts'
import { count, dateText, retryText } from '../../clock/format.ts'
import { Button } from '../../ui/button.tsx'
import { SelectPage, SelectRow, useSelection } from '../../ui/selection.tsx'
import { MessageRow } from './message-row.tsx'
import { RetryMessages } from './retry-messages.tsx'

type MessageListProps = {
  messages: readonly ListedEvent[]
  /** The request to retry all that match, if all of them have failed. */
  retryAll: (() => ReplayFilter) | null
}

export function MessageList({ messages, retryAll }: MessageListProps) {
  const page = messages.map(({ id }) => id)
  const selection = useSelection('')
  const [retrying, setRetrying] = useState<{ filter: ReplayFilter; what: string } | null>(null)
  const chosen = messages.filter(({ id }) => selection.has(id))
  const failed = chosen.filter(({ status }) => status === 'FAILED')
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1 text-soft text-xs">
        <SelectPage selection={selection} page={page} />
        <span aria-live="polite">
          {chosen.length > 0
            ? `${count(chosen.length, 'message')} selected, ${failed.length} failed`
            : `${count(messages.length, 'message')} on this page`}
        </span>
        <span className="ml-auto flex flex-wrap gap-1">
          {chosen.length > 0 && (
            <Button
              icon="again"
              disabled={failed.length === 0}
              data-tip={failed.length === 0 ? 'Only failed messages can be retried.' : undefined}
              onClick={() =>
                setRetrying({
                  filter: { ids: failed.map(({ id }) => id) },
                  what: 'The selected failed messages.',
                })
              }
            >
              Retry selected…
            </Button>
          )}
          {chosen.length === 0 && retryAll !== null && (
            <Button
              icon="again"
              onClick={() =>
                setRetrying({ filter: retryAll(), what: 'All failed messages that match the filter.' })
              }
            >
              Retry all that match…
            </Button>
          )}
        </span>
      </div>
      <ul aria-label="Messages" className="divide-y divide-line">
        {messages.map((message) => (
          <MessageRow
            key={message.id}
            message={message}
            before={
              <span className="ml-4 flex">
                <SelectRow
                  selection={selection}
                  page={page}
                  id={message.id}
                  label={`${fullName(message)}, ${dateText(message.targetTimestampLocal)}${retryText(message.occurrence)}`}
                />
              </span>
            }
          />
        ))}
      </ul>
      {retrying !== null && (
        <RetryMessages filter={retrying.filter} onClose={() => setRetrying(null)} onRetried={selection.clear}>
          <p>{retrying.what}</p>
        </RetryMessages>
      )}
    </>
  )
}
