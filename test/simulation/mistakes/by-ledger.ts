// What the ledger alone sees of each planted mistake. Every mistake that loses or doubles a message must be found by it, except
// those that leave no trace in the database.

/** Messages are lost, doubled, or sent at an instant that is not owed. The ledger must find each of them by itself. */
export const FOUND_BY_LEDGER = [
  ...['successor-in-own-transaction', 'failed-without-successor', 'successor-from-now'],
  ...['every-missed-year-sent', 'every-other-year', 'edit-in-flight-lost', 'endless-lease'],
  ...['moved-in-flight', 'move-without-event', 'move-loses-year', 'ahead-again-forgotten'],
  ...['year-of-birth-ignored', 'ended-birthday-kept', 'year-zero-greeted', 'calendar-ignored'],
  ...['pause-leaves-event', 'pause-in-flight-ignored', 'count-ignored', 'once-repeated'],
  ...['local-time-change-delayed', 'completed-task-reminded', 'reminded-twice-a-day', 'quiet-hours-ignored'],
  ...['replan-does-nothing', 'replan-by-older-table', 'replan-skips'],
  ...['belated-is-missed', 'one-limit-for-all', 'cut-off-on-the-same-day'],
  ...['account-page-lost', 'account-page-twice', 'account-skips-people', 'settled-later-forgotten'],
] as const

/** Messages are lost or doubled, and the tables of Terce look as if they were not. By reason. */
export const UNSEEN_BY_LEDGER: Readonly<Record<string, readonly string[]>> = {
  'One message is sent more than once, under one idempotency key: the event is settled once.': [
    ...['version-unchecked', 'no-lease', 'claim-not-exclusive', 'expired-lease-is-used', 'short-lease'],
    ...['claims-cached', 'newest-version', 'provisional-lease-used', 'acknowledged-before-sent'],
  ],
  'The idempotency key of a send is not stored.': ['key-from-instant'],
  'The response of the receiver is recorded as 200, and was another one.': ['completed-before-sent'],
  'The row of a person does not record that a message was asked for at once.': ['today-forgotten'],
  'The effects of handlers are in tables of the application.': [
    ...['effect-committed-first', 'settled-apart', 'lost-claim-committed'],
  ],
  'A message that was in flight is sent after its person or occasion was stopped, and its claim was valid.': [
    'lost-claim-reported-as-held',
  ],
  'A second reminder needs a crash and a new due time within a day, which no seed up to 60 had.': [
    'reminder-time-in-own-transaction',
  ],
  'By the rule that was in force at its time, each of the two messages of the day was owed.': [
    'changed-rule-repeats-day',
  ],
  'The successor cannot be stored, and the worker tries again every few seconds: a simulated day takes minutes. A claim of more than a day is STUCK, which the tests of the account show.':
    ['duplicate-event-ids'],
}

/** The message is on its account as failed, with the reason that the engine recorded, or as open: late, and not lost. */
export const ON_THE_ACCOUNT = [
  ...['no-retry', 'unauthorized-is-permanent', 'parked-counts', 'down-uses-a-retry', 'limit-of-one-for-all'],
  ...['redelivered-in-one-batch', 'disabled-not-replayed', 'failed-reopened', 'gone-ignored'],
  ...['sleeps-forever', 'failed-call-hangs', 'wakes-late', 'sleeps-by-the-clock', 'lease-by-own-clock'],
  ...['heartbeat-for-lost-claims', 'one-at-a-time', 'pauses-all-channels', 'pause-not-stored'],
  ...['channels-read-once', 'disabled-is-paused', 'parked-never-woken', 'dead-letter-dropped'],
  ...['rejection-by-queue-ignored', 'long-lease-before-queued', 'early-by-own-clock', 'never-too-late'],
  ...['cut-off-ignored', 'reminder-failed-for-good', 'hold-drops', 'hold-never-ends'],
] as const

/** Every message is sent once, when it is owed. Something else is wrong: its text, its channel, a record, the load. */
export const NO_MESSAGE_LOST_OR_DOUBLED = [
  ...[
    'retried-as-pending',
    'response-of-another',
    'rendered-again',
    'body-not-stored',
    'retry-without-limit',
  ],
  ...['permanent-rejection-retried', 'retry-after-ignored', 'default-for-all', 'stop-ignored'],
  ...['twice-the-limits', 'turn-spent-twice', 'made-up-address', 'language-ignored', 'templates-read-once'],
  ...['new-text-in-flight', 'due-time-by-old-offset', 'delete-leaves-event', 'move-not-recorded'],
  ...['edit-not-recorded', 'replan-not-recorded', 'move-recorded-apart', 'stale-message-retried'],
  ...['deadline-ignored', 'final-before-queued', 'abbreviation-is-a-place'],
  ...['hold-ignored', 'outage-unheard', 'two-probers'],
] as const
