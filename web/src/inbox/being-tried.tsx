// What is being tried right now, each with its attempts on a line; and what was given up lately, to be sent again.
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { readEvent, replayEvent, useEvents } from '../api/events.ts'
import { KEYS } from '../api/keys-of-queries.ts'
import { useNames } from '../api/people.ts'
import { renewAll } from '../api/renew.ts'
import { useToday } from '../api/today.ts'
import type { EventStory } from '../api/types.ts'
import { count } from '../clock/format.ts'
import { useNow } from '../clock/now.ts'
import { Ago } from '../clock/their-time.tsx'
import { AttemptStrip } from '../event/attempts.tsx'
import { Link } from '../router.tsx'
import { Button } from '../ui/button.tsx'
import { complain, say } from '../ui/toast.tsx'

const SHOWN = 5

function useStories(ids: readonly string[]): EventStory[] {
  return useQueries({
    queries: ids.slice(0, SHOWN).map((id) => ({ queryKey: KEYS.event(id), queryFn: () => readEvent(id) })),
    combine: (answers) => answers.flatMap(({ data }) => (data === undefined ? [] : [data])),
  })
}

export function BeingTried({ isBroken }: { isBroken: boolean }) {
  const events = useEvents({ status: 'PROCESSING', limit: 50 })
  const stories = useStories((events.data?.items ?? []).map(({ id }) => id))
  const shown = stories.filter(({ status }) => status === 'PROCESSING')
  const names = useNames(shown.map(({ userId }) => userId))
  if (shown.length === 0) {
    return isBroken ? (
      <p className="mt-3 text-soft">
        Nothing is being tried at the moment. What falls due now shows up here.
      </p>
    ) : null
  }
  const rest = (events.data?.items.length ?? 0) - shown.length
  return (
    <ul aria-label="Being tried" className="mt-4 space-y-2">
      {shown.map((event) => (
        <li key={event.id} className="rounded-md border border-line bg-panel px-4 pt-2">
          <p className="flex flex-wrap justify-between gap-x-4">
            <Link to={`event/${event.id}`} className="font-medium hover:underline">
              {names.get(event.userId) ?? '…'}
            </Link>
            <span className="text-soft">
              {count(event.attempts.length, 'attempt')}, one key
              {event.wakeAt !== null && (
                <>
                  , next <Ago at={event.wakeAt} />
                </>
              )}
            </span>
          </p>
          <AttemptStrip event={event} />
        </li>
      ))}
      {rest > 0 && <li className="text-soft">and {rest} more</li>}
    </ul>
  )
}

const LATELY_MS = 10 * 60_000

export function GivenUp({ isBroken }: { isBroken: boolean }) {
  const since = useNow(10_000) - LATELY_MS
  const failed = (useToday().data?.recent ?? []).filter(
    ({ failureReason, executedAt }) =>
      failureReason?.startsWith('RETRIES_EXHAUSTED') && executedAt !== null && Date.parse(executedAt) > since,
  )
  const stories = useStories(failed.map(({ id }) => id))
  const shown = stories.filter(({ replays }) => replays.every(({ status }) => status === 'FAILED'))
  const names = useNames(shown.map(({ userId }) => userId))
  const client = useQueryClient()
  const retrying = useMutation({
    mutationFn: (id: string) => replayEvent(id, false),
    onSuccess: () => say('Planned again, due now, under the same key.'),
    onError: complain,
    onSettled: () => renewAll(client),
  })
  if (shown.length === 0) return null
  return (
    <ul aria-label="Given up" className="mt-3 space-y-2">
      {shown.map((event) => (
        <li
          key={event.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-failed/40 bg-panel px-4 py-2"
        >
          <span>
            <Link to={`event/${event.id}`} className="font-medium hover:underline">
              {names.get(event.userId) ?? '…'}
            </Link>{' '}
            <span className="text-soft">
              was given up after {count(event.attempts.length, 'attempt')}. Nothing is lost: it keeps its
              content and its key.
            </span>
          </span>
          <Button
            look={isBroken ? 'plain' : 'primary'}
            icon="again"
            busy={retrying.isPending}
            onClick={() => retrying.mutate(event.id)}
          >
            Retry, same key
          </Button>
        </li>
      ))}
    </ul>
  )
}
