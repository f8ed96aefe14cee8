// The exports of `terce/core`: the pure domain, without dependencies, for any runtime.

export { CALENDARS, type CalendarName } from './calendars/calendars.ts'
export { type FieldProblem, InvalidStateTransitionError, type Parsed, TemplateError } from './errors.ts'
export type {
  Attempt,
  AttemptOutcome,
  Event,
  PlannedEvent,
} from './events/event.ts'
export {
  assertTransition,
  EVENT_STATUSES,
  type EventStatus,
  isTerminal,
  isValidTransition,
} from './events/event-status.ts'
export { idempotencyKey } from './events/idempotency-key.ts'
export {
  DEFAULT_RETRY_POLICY,
  decideRetry,
  type RetryDecision,
  type RetryPolicy,
} from './events/retry-policy.ts'
export { createIds, type Ids, parseUuid } from './events/uuid.ts'
export { type Explanation, type ExplanationNote, explainOccurrence } from './occasions/explain.ts'
export {
  type LeapDay,
  nextOccurrence,
  nextYearly,
  type Occurrence,
  type OccurrenceNote,
  occurrenceInYear,
  type YearlyOccurrence,
  type YearlyRule,
} from './occasions/next-occurrence.ts'
export type { Occasion } from './occasions/occasion.ts'
export { recurring, upcoming } from './occasions/recurring.ts'
export { ruleOf, type Schedule, type Slot } from './occasions/schedule.ts'
export { type CivilDate, formatCivilDate, isLeapYear, parseCivilDate } from './time/calendar.ts'
export { formatLocalTime, parseLocalTime } from './time/local-time.ts'
export { formatInstant, formatLocal } from './time/timestamp.ts'
export { parseTimezone, type Timezone } from './time/timezone.ts'
export { loadTimezoneTable, type TimezoneTable, tzdb, type Zone } from './time/tzdb.ts'
export { type DateOfBirth, parseDateOfBirth } from './users/date-of-birth.ts'
export {
  changesBetween,
  parseUserChange,
  parseUserFields,
  type User,
  type UserChanged,
  type UserInput,
} from './users/user.ts'
export type { UserFields } from './users/user-fields.ts'
