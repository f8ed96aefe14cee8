// The text of the log line for an operation that failed.
import type { Notice, TelemetryOperation } from '../ports/telemetry.ts'

/** The operation, and what happens if it is not retried. */
const OPERATIONS: Readonly<Record<TelemetryOperation, readonly [name: string, otherwise: string]>> = {
  request: ['A request', 'the response was 500 or 503'],
  claim: ['Claiming', 'not retried'],
  render: ['Rendering', 'the event fails'],
  send: ['Sending', 'the event is claimed again when its lease expires'],
  settle: ['Settling', 'the events are claimed again when their leases expire'],
  'plan-successor': ['Planning the successor', 'the occasion has no next event'],
  'extend-leases': ['Extending leases', 'not retried'],
  'confirm-claims': ['Confirming claims', 'not retried'],
  heartbeat: ['Recording the heartbeat of the worker', 'the worker expires within 30 s'],
  'hand-over': ['Handing events to the queue', 'not retried'],
  'read-message': ['Reading a queue message', 'the queue delivers it again'],
  'read-claims': ['Reading claims', 'not retried'],
  'load-templates': ['Loading templates', 'not retried'],
  'load-channels': ['Loading channels', 'not retried'],
  'mark-destination': ['Recording the state of a destination', 'other processes find it out by themselves'],
  'lease-limits': ['Leasing the limits of a destination', 'not retried'],
  'claim-probe': ['Claiming the probe of a destination', 'not retried'],
  'open-channel': ['Opening a channel', 'its events wait'],
  'suspend-channel': ['Storing the status of a channel', 'not retried'],
  'record-audit': ['Recording an audit entry', 'not retried'],
  'record-key-use': ['Recording the use of an API key', 'the next use is recorded'],
  'drain-enqueued': ['Applying enqueued changes', 'not retried'],
  'apply-enqueued': ['Applying an enqueued change', 'it is rejected: see terce.enqueue_errors'],
  'close-day': ['Checking plans and closing days of the ledger', 'the next run continues'],
  'remove-expired': ['Removing ended sessions and expired responses', 'the next run removes them'],
  'record-session-use': ['Recording the use of a session', 'the next use is recorded'],
  replan: ['Moving an event to new timezone rules', 'the event keeps its time'],
  schedule: ['The scheduler run', 'the next run retries'],
  consume: ['Consuming a batch of the queue', 'the queue delivers it again'],
  recover: ['The recovery run', 'the next run retries'],
  prepare: ['Preparing the first run', 'the next run retries'],
  'count-overdue': ['Counting overdue events', 'the next run counts them'],
  'ledger-report': ['Sending the report of a day', 'the next run retries'],
  'count-missed': ['Counting who could be missed', 'the next run counts it'],
  ping: ['Calling HEARTBEAT_URL', 'the next run retries'],
}

export function errorMessage({
  operation,
  retryInMs,
}: Pick<Notice & { kind: 'error' }, 'operation' | 'retryInMs'>): string {
  const [name, otherwise] = OPERATIONS[operation]
  return `${name} failed; ${retryInMs === null ? otherwise : `retrying in ${inSeconds(retryInMs)} s`}`
}

export const inSeconds = (ms: number): number => Math.round(ms / 100) / 10
