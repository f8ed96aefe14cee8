// Simulates an outage of the inbox: deliveries are retried, and after the end exactly one message arrives.
import { setInboxMode } from '../../api/inbox.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { Inbox, InboxMode } from '../../api/settings-types.ts'
import { count } from '../../clock/format.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/field.tsx'
import { FailedMessages, useRecentFailures } from './failed-messages.tsx'
import { PendingDeliveries } from './pending-deliveries.tsx'
import { TestMessage, TestMessageNote } from './test-message.tsx'

const MODES = { accept: 'Accept', reject: 'Return 503', hang: 'Hang' }

export function SimulateOutage({ inbox }: { inbox: Inbox }) {
  const setting = useAction((mode: InboxMode) => setInboxMode(mode), { refetches: [KEYS.inbox] })
  const { retryable, retry } = useRecentFailures()
  const restoring = useAction(
    async () => {
      await setInboxMode('accept')
      return retryable > 0 ? retry() : 0
    },
    { says: (sent) => (sent === 0 ? '' : `Retrying ${count(sent, 'message')} with the same key.`) },
  )
  const isOutage = inbox.mode !== 'accept'
  return (
    <section
      className={`rounded-lg border p-4 ${isOutage ? 'border-failed/50 bg-failed-wash' : 'border-line bg-panel'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="font-medium">{isOutage ? 'Simulated outage' : 'Simulate an outage'}</h2>
          <p className="text-soft">
            {inbox.mode === 'accept' && 'Make the inbox fail and watch deliveries being retried.'}
            {inbox.mode === 'reject' &&
              `Every delivery gets a 503. ${inbox.rejected.toLocaleString('en')} rejected so far.`}
            {inbox.mode === 'hang' &&
              'Deliveries get no response until they time out or you restore the inbox.'}
            <TestMessageNote />
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <TestMessage />
          <Choices
            label="Inbox mode"
            value={inbox.mode}
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
