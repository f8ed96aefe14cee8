// What `terce/core` publishes: the pure domain, without dependencies, for any runtime.
export { type CivilDate, formatCivilDate, isLeapYear, parseCivilDate } from './calendar.ts'
export { CALENDARS, type CalendarName } from './calendars.ts'
export { type DateOfBirth, parseDateOfBirth } from './date-of-birth.ts'
export { type FieldProblem, InvalidStateTransitionError, type Parsed, TemplateError } from './errors.ts'
export {
  type Attempt,
  type AttemptOutcome,
  claim,
  type Event,
  markCompleted,
  markFailed,
  type PlannedEvent,
} from './event.ts'
export {
  assertTransition,
  EVENT_STATUSES,
  type EventStatus,
  isTerminal,
  isValidTransition,
} from './event-status.ts'
export { type Explanation, explainOccurrence, type Oddity } from './explain.ts'
export { idempotencyKey } from './idempotency-key.ts'
export { formatLocalTime, parseLocalTime } from './local-time.ts'
export {
  type LeapDay,
  nextOccurrence,
  nextYearly,
  type Occurrence,
  type OccurrenceNote,
  occurrenceInYear,
  type YearlyOccurrence,
  type YearlyRule,
} from './next-occurrence.ts'
export { type Occasion, ruleOf, type Schedule, type Slot } from './occasion.ts'
export { recurring, upcoming } from './recurring.ts'
export { DEFAULT_RETRY_POLICY, decideRetry, type RetryDecision, type RetryPolicy } from './retry-policy.ts'
export { formatInstant, formatLocal } from './timestamp.ts'
export { parseTimezone, type Timezone } from './timezone.ts'
export { loadTimezoneTable, type TimezoneTable, tzdb, type Zone } from './tzdb.ts'
export {
  changesBetween,
  parseUserChange,
  parseUserFields,
  type User,
  type UserChanged,
  type UserFields,
  type UserInput,
} from './user.ts'
export { createIds, type Ids, parseUuid } from './uuid.ts'
