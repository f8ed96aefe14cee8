// Simulates an outage of the inbox: deliveries are retried, and after the end exactly one message arrives.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setInboxMode } from '../../api/inbox.ts'
import { invalidateAll } from '../../api/invalidate.ts'
import { sendTestMessage } from '../../api/occasions.ts'
import { usePeople } from '../../api/people.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { Inbox, InboxMode } from '../../api/settings-types.ts'
import { count } from '../../clock/format.ts'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/field.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { FailedMessages, useRecentFailures } from './failed-messages.tsx'
import { PendingDeliveries } from './pending-deliveries.tsx'

const MODES = [
  { value: 'accept', label: 'Accept' },
  { value: 'refuse', label: 'Return 503' },
  { value: 'hang', label: 'Hang' },
] as const

export function SimulateOutage({ inbox }: { inbox: Inbox }) {
  const client = useQueryClient()
  const setting = useMutation({
    mutationFn: (mode: InboxMode) => setInboxMode(mode),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.inbox }),
  })
  const { retryable, retry } = useRecentFailures()
  const restoring = useMutation({
    mutationFn: async () => {
      await setInboxMode('accept')
      return retryable > 0 ? retry() : 0
    },
    onSuccess: (sent) => {
      if (sent > 0) notify(`Retrying ${count(sent, 'message')} with the same key.`)
    },
    onError: notifyError,
    onSettled: () => invalidateAll(client),
  })
  const isOutage = inbox.behaviour !== 'accept'
  return (
    <section
      className={`rounded-lg border p-4 ${isOutage ? 'border-failed/50 bg-failed-wash' : 'border-line bg-panel'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="font-medium">{isOutage ? 'Simulated outage' : 'Simulate an outage'}</h2>
          <p className="text-soft">
            {inbox.behaviour === 'accept' && 'Make the inbox fail and watch deliveries being retried.'}
            {inbox.behaviour === 'refuse' &&
              `Every delivery gets a 503. ${inbox.refused.toLocaleString('en')} rejected so far.`}
            {inbox.behaviour === 'hang' &&
              'Deliveries get no response until they time out or you restore the inbox.'}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <SendTestMessage />
          <Choices
            label="Inbox behaviour"
            value={inbox.behaviour}
            choices={MODES}
            disabled={setting.isPending}
            onChange={(mode) => setting.mutate(mode)}
          />
          {isOutage && (
            <Button look="primary" busy={restoring.isPending} onClick={() => restoring.mutate()}>
              {retryable === 0 ? 'Restore' : `Restore and retry ${retryable}`}
            </Button>
          )}
        </div>
      </div>
      <PendingDeliveries isOutage={isOutage} />
      <FailedMessages isOutage={isOutage} />
    </section>
  )
}

/** Sends a test message to a random person. */
function SendTestMessage() {
  const people = usePeople({ search: '', timezone: '' }).data?.items ?? []
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: async () => {
      const { user } = people[Math.floor(Math.random() * people.length)]!
      await sendTestMessage(user)
      return user
    },
    onSuccess: ({ firstName }) => {
      notify(`A test message to ${firstName} is due now.`)
      void client.invalidateQueries({ queryKey: KEYS.events })
    },
    onError: notifyError,
  })
  if (people.length === 0) return null
  return (
    <Button busy={sending.isPending} onClick={() => sending.mutate()}>
      Send a test message
    </Button>
  )
}
