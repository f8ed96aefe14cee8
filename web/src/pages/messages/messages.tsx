// The messages page: all messages, filtered by the parameters of its URL.
import { useMessages } from '../../api/messages.ts'
import { useOccasionTypes } from '../../api/settings.ts'
import type { Session } from '../../api/types.ts'
import { now } from '../../clock/now.ts'
import { navigate, useParam, useSearch } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Empty, Loaded, PageTitle, Panel } from '../../ui/panel.tsx'
import { filterOfUrl, listRequest, messagesPath, type Reader, replayRequest } from './filter.ts'
import { Filters } from './filters.tsx'
import { MessageList } from './message-list.tsx'

export function Messages({ session }: { session: Session }) {
  const filter = filterOfUrl(useSearch())
  const [cursor] = useParam('cursor')
  const messages = useMessages(filter, () => listRequest(filter, readerNow()), cursor)
  const types = useTypes(messages.data?.items ?? [])
  const canRetry = replayRequest(filter, readerNow()) !== null
  return (
    <>
      <PageTitle title="Messages">
        Every message, newest first; scheduled messages, next first. The period of sent and failed messages is
        when that happened, of others when they are due, in your time zone.
      </PageTitle>
      <Filters filter={filter} types={types} session={session} />
      <Panel flush>
        <Loaded query={messages} rows={10}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <Nothing
                isFiltered={Object.keys(filter).length > 0}
                hasPeriod={filter.period !== undefined || filter.person !== undefined}
                onAll={() => navigate(messagesPath({ ...filter, period: 'all' }))}
              />
            ) : (
              <>
                <MessageList
                  key={`${messagesPath(filter)} ${cursor}`}
                  messages={items}
                  retryAll={canRetry ? () => replayRequest(filter, readerNow())! : null}
                />
                <Pagination page="messages" cursor={cursor} next={nextCursor} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}

/** Now by the server's clock, and the reader's offset. */
function readerNow(): Reader {
  const at = now()
  return { now: at, offsetMinutes: -new Date(at).getTimezoneOffset() }
}

/** The types of all occasions, and of the listed messages, whose occasion may be gone. */
function useTypes(listed: readonly { eventType: string }[]): string[] {
  const known = useOccasionTypes().data?.items ?? []
  return [...new Set([...known.map(({ type }) => type), ...listed.map(({ eventType }) => eventType)])].sort()
}

function Nothing({
  isFiltered,
  hasPeriod,
  onAll,
}: {
  isFiltered: boolean
  hasPeriod: boolean
  onAll: () => void
}) {
  if (!isFiltered) {
    return (
      <Empty
        title="No messages in the last 30 days."
        action={<Button onClick={onAll}>Show all dates</Button>}
      >
        Messages appear here when they are due.
      </Empty>
    )
  }
  return (
    <Empty
      title="No matches."
      action={hasPeriod ? undefined : <Button onClick={onAll}>Search all dates</Button>}
    >
      {hasPeriod ? 'Change or clear the filter.' : 'Without a period, only the last 30 days are searched.'}
    </Empty>
  )
}
