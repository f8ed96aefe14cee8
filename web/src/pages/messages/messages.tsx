// The messages page: all messages, filtered by a typed query whose terms are in the URL.
import { useMessages } from '../../api/messages.ts'
import { useChannels, useOccasionTypes } from '../../api/settings.ts'
import type { Session, User } from '../../api/types.ts'
import { cityOf } from '../../clock/format.ts'
import { now } from '../../clock/now.ts'
import { navigate, useParam, useSearch } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Empty, Loaded, PageTitle, Panel } from '../../ui/panel.tsx'
import { Filters } from './filters.tsx'
import { MessageList } from './message-list.tsx'
import { formatQuery, messagesPath, type Terms, termsOfUrl } from './query.ts'
import { QueryInput } from './query-input.tsx'
import { listRequest, replayRequest } from './request.ts'
import { useResolvedNames } from './resolve-names.ts'
import type { Reader } from './span.ts'

export function Messages({ session }: { session: Session }) {
  const { terms, problems } = termsOfUrl(useSearch())
  const [cursor] = useParam('cursor')
  const { names, problem, choices, person } = useResolvedNames(terms)
  const named = useChannels().data?.items.map(({ name }) => name) ?? []
  const channels = session.inbox ? [...named, 'inbox'] : named
  const text = formatQuery(terms)
  const messages = useMessages(
    { terms, names },
    names === null ? null : () => listRequest(terms, names, readerNow()),
    cursor,
  )
  const types = useTypes(messages.data?.items ?? [])
  const apply = (changed: Terms) => navigate(messagesPath(changed))
  const allProblems = problem === null ? problems : [...problems, problem]
  const retryAll =
    names === null || replayRequest(terms, names, readerNow()) === null
      ? null
      : () => replayRequest(terms, names, readerNow())!
  return (
    <>
      <PageTitle title="Messages">
        Every message, newest first; scheduled messages, next first. Date filters use your time zone.
      </PageTitle>
      <div className="mb-3 flex flex-wrap items-start gap-2">
        <QueryInput terms={terms} known={{ types, channels }} problems={allProblems} onApply={apply} />
        <Filters terms={terms} types={types} channels={channels} onApply={apply} />
      </div>
      {terms.person !== undefined && person !== null && (
        <p className="mb-3 text-soft">
          Messages of {person.firstName} {person.lastName}, {cityOf(person.timezone)}.
        </p>
      )}
      {choices.length > 0 ? (
        <Choices
          name={terms.person ?? ''}
          choices={choices}
          onChoose={(id) => apply({ ...terms, person: id })}
        />
      ) : (
        <Panel flush>
          {problem !== null ? (
            <Empty title="No matches.">{problem}</Empty>
          ) : (
            <Loaded query={messages} rows={10}>
              {({ items, nextCursor }) =>
                items.length === 0 ? (
                  <Nothing
                    isFiltered={text !== ''}
                    hasRange={terms.due !== undefined}
                    onAll={() => apply({ ...terms, due: 'all' })}
                  />
                ) : (
                  <>
                    <MessageList key={`${text} ${cursor}`} messages={items} retryAll={retryAll} />
                    <Pagination page="messages" cursor={cursor} next={nextCursor} />
                  </>
                )
              }
            </Loaded>
          )}
        </Panel>
      )}
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
  hasRange,
  onAll,
}: {
  isFiltered: boolean
  hasRange: boolean
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
      action={hasRange ? undefined : <Button onClick={onAll}>Search all dates</Button>}
    >
      {hasRange
        ? 'Change or clear the filter.'
        : 'Without a range of dates, only the last 30 days are searched.'}
    </Empty>
  )
}

type ChoicesProps = { name: string; choices: readonly User[]; onChoose: (id: string) => void }

function Choices({ name, choices, onChoose }: ChoicesProps) {
  return (
    <Panel title={`Several people are named "${name}". Choose one.`} flush>
      <ul className="divide-y divide-line">
        {choices.map(({ id, firstName, lastName, dateOfBirth, timezone }) => (
          <li key={id}>
            <button
              type="button"
              data-row
              onClick={() => onChoose(id)}
              className="flex w-full justify-between gap-4 px-4 py-2 text-left hover:bg-raised"
            >
              <span className="truncate">
                {firstName} {lastName}
              </span>
              <span className="shrink-0 text-soft">
                {dateOfBirth}, {cityOf(timezone)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
