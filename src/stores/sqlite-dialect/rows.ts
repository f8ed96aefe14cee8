// How new users, occasions and planned events lie in rows.
import type { PlannedEvent } from '../../domain/event.ts'
import type { Occasion } from '../../domain/occasion.ts'
import type { User } from '../../domain/user.ts'
import { searchText } from '../page.ts'
import type { Value } from './executor.ts'

export const USER_COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'search_name',
  'date_of_birth',
  'timezone',
  'email',
  'language',
  'version',
  'created_at',
  'updated_at',
] as const

export function userRow(user: User): Value[] {
  return [
    user.id,
    user.firstName,
    user.lastName,
    searchText(`${user.firstName} ${user.lastName}`),
    user.dateOfBirth,
    user.timezone,
    user.email,
    user.language,
    user.version,
    user.createdAt,
    user.updatedAt,
  ]
}

export const OCCASION_COLUMNS = [
  'id',
  'user_id',
  'type',
  'date',
  'local_time',
  'leap_day',
  'template',
  'channel_id',
  'not_after',
] as const

export function occasionRow(occasion: Occasion): Value[] {
  const { id, userId, type, date, localTime, leapDay, template, channelId, notAfter } = occasion
  return [id, userId, type, date, localTime, leapDay, template, channelId, notAfter]
}

/** The columns of an event that was never claimed. */
export const EVENT_COLUMNS = [
  'id',
  'occasion_id',
  'occurrence',
  'status',
  'target_at',
  'offset_seconds',
  'timezone',
  'tz_version',
  'wake_at',
  'retry_count',
  'version',
  'plan_revision',
  'created_at',
  'updated_at',
] as const

export function eventRow(event: PlannedEvent, now: number): Value[] {
  return [
    event.id,
    event.occasionId,
    event.occurrence,
    'PENDING',
    event.targetAt,
    event.offsetSeconds,
    event.timezone,
    event.tzVersion,
    event.targetAt,
    0,
    1,
    0,
    now,
    now,
  ]
}
