// A test message to the first person, which the inbox receives. It is deleted from their history once it has arrived.

import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { isNotFound, statusOf } from '../../api/client.ts'
import { readEvent } from '../../api/events.ts'
import { deleteOccasion, sendTestMessage } from '../../api/occasions.ts'
import { usePeople } from '../../api/people.ts'
import { KEYS } from '../../api/query-keys.ts'
import { readDefaultChannel } from '../../api/settings.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'

type Sent = { occasionId: string; eventId: string }

/** Test messages that have not arrived, also of an earlier visit of this page. */
const STORED = 'terce-test-messages'

export function TestMessage() {
  const user = usePeople({}, { limit: 1 }).data?.items[0]
  const remember = useRemoval()
  const sending = useAction(
    async () => {
      const elsewhere = await readDefaultChannel()
      if (elsewhere !== undefined) throw new Error(`Nothing was sent: messages go to ${elsewhere.name} now.`)
      return sendTestMessage(user!)
    },
    {
      says: `A test message to ${user?.firstName} is due now.`,
      refetches: [KEYS.events, KEYS.channels],
      onSuccess: ({ id, next }) => next !== null && remember({ occasionId: id, eventId: next.eventId }),
    },
  )
  if (user === undefined) return null
  return (
    <Button
      busy={sending.isPending}
      data-tip="It is deleted from the history of the person once it has arrived."
      onClick={() => sending.mutate()}
    >
      Send a test message
    </Button>
  )
}

/** The sentence that names the person before anything is sent. */
export function TestMessageNote() {
  const user = usePeople({}, { limit: 1 }).data?.items[0]
  if (user === undefined) return null
  return ` The test message is for ${fullName(user)} and goes to this inbox.`
}

/** Deletes the occasions of test messages that were delivered. Failed ones stay: they can be retried. */
function useRemoval(): (sent: Sent) => void {
  const [open, setOpen] = useState<readonly Sent[]>(() => JSON.parse(localStorage.getItem(STORED) ?? '[]'))
  const keep = (next: readonly Sent[]) => {
    localStorage.setItem(STORED, JSON.stringify(next))
    setOpen(next)
  }
  const done = useQueries({
    queries: open.map(({ eventId }) => ({
      queryKey: KEYS.event(eventId),
      queryFn: ({ signal }: { signal: AbortSignal }) => readEvent(eventId, signal),
    })),
    combine: (results) =>
      open.find((_, index) => {
        const { data, error } = results[index]!
        return (
          isNotFound(error) || [data, ...(data?.replays ?? [])].some((one) => one?.status === 'COMPLETED')
        )
      })?.occasionId,
  })
  const removing = useAction(
    (occasionId: string) =>
      deleteOccasion(occasionId).catch((error) => {
        if (statusOf(error) !== 404) throw error
      }),
    {
      refetches: [KEYS.events, KEYS.occasionTypes, KEYS.people],
      onSuccess: (_, removed) => keep(open.filter(({ occasionId }) => occasionId !== removed)),
    },
  )
  const { mutate } = removing
  useEffect(() => {
    if (done !== undefined) mutate(done)
  }, [done, mutate])
  return (sent) => keep([...open, sent])
}
