// How new users, occasions and planned events lie in rows.
import type { NewPerson } from '../../ports/store.ts'
import { searchText } from '../page.ts'
import type { Cell, Columns } from './arrays.ts'

export const USER: Columns = {
  id: 'uuid',
  first_name: 'text',
  last_name: 'text',
  search_name: 'text',
  date_of_birth: 'text',
  timezone: 'text',
  email: 'text',
  language: 'text',
  version: 'int',
  created_at: 'instant',
  updated_at: 'instant',
}

export function userRow({ user }: { user: NewPerson['user'] }): Cell[] {
  const { id, firstName, lastName, dateOfBirth, timezone, email, language } = user
  const { version, createdAt, updatedAt } = user
  const searchName = searchText(`${firstName} ${lastName}`)
  const fields = [id, firstName, lastName, searchName, dateOfBirth, timezone, email, language]
  return [...fields, version, createdAt, updatedAt]
}

export const OCCASION: Columns = {
  id: 'uuid',
  user_id: 'uuid',
  type: 'text',
  date: 'text',
  local_time: 'text',
  leap_day: 'text',
  template: 'text',
  channel_id: 'uuid',
  not_after: 'text',
}

export function occasionRows({ occasions }: NewPerson): Cell[][] {
  return occasions.map((one) => [
    one.id,
    one.userId,
    one.type,
    one.date,
    one.localTime,
    one.leapDay,
    one.template,
    one.channelId,
    one.notAfter,
  ])
}

export const EVENT: Columns = {
  id: 'uuid',
  occasion_id: 'uuid',
  occurrence: 'text',
  target_at: 'instant',
  offset_seconds: 'int',
  timezone: 'text',
  tz_version: 'text',
  wake_at: 'instant',
  retry_count: 'int',
  version: 'int',
  plan_revision: 'int',
  created_at: 'instant',
  updated_at: 'instant',
}

export function eventRows({ user, events }: NewPerson): Cell[][] {
  return events.map(({ id, occasionId, occurrence, targetAt, offsetSeconds, timezone, tzVersion }) => {
    const planned = [id, occasionId, occurrence, targetAt, offsetSeconds, timezone, tzVersion, targetAt]
    return [...planned, 0, 1, 0, user.createdAt, user.createdAt]
  })
}
