// The people of a timezone with their open events, from rows of all columns of a claim.
import type { Page } from '../../../ports/query.ts'
import type { OccasionPlan, OpenPlans } from '../../../ports/store.ts'
import { AFTER_CLAIM, AFTER_EVENT, claimFromRow, EVENT_AT, USER_AT, userFrom } from '../claim-row.ts'

/** A row without an event stands for an occasion, or a person, that has none. The column after the claim says whether the event is pending. */
export function pageOfOpenPlans(rows: Rows, limit: number): Page<OpenPlans> {
  const items = openPlansFrom(rows)
  return { items, nextCursor: items.length < limit ? null : items.at(-1)!.user.id }
}

type Rows = readonly (readonly unknown[])[]

function openPlansFrom(rows: Rows): OpenPlans[] {
  const items: OpenPlans[] = []
  for (const row of rows) {
    if (items.at(-1)?.user.id !== row[AFTER_EVENT + USER_AT.id]) {
      const { id, dateOfBirth, timezone } = userFrom(row, AFTER_EVENT)
      items.push({ user: { id, dateOfBirth, timezone }, plans: [] })
    }
    if (row[EVENT_AT.id] !== null) items.at(-1)!.plans.push(planFrom(row))
  }
  return items
}

/** The rows have one column more than those of `pageOfOpenPlans`: when the event can be claimed. */
export function pageOfOutdatedPlans(rows: Rows, limit: number): Page<OpenPlans> {
  const last = rows.at(-1)
  const isLast = last === undefined || rows.length < limit
  return {
    items: openPlansFrom(rows),
    nextCursor: isLast ? null : `${last[AFTER_CLAIM + 1]} ${last[EVENT_AT.id]}`,
  }
}

/** The place after which a page begins, or null for the first page. */
export function placeOfOutdated(cursor: string | null): { wakeAt: number; eventId: string } | null {
  if (cursor === null) return null
  const [wakeAt, eventId] = cursor.split(' ')
  return { wakeAt: Number(wakeAt), eventId: eventId! }
}

function planFrom(row: readonly unknown[]): OccasionPlan {
  const { occasion, task, ...event } = claimFromRow(row)
  const { id, occurrence, version, targetAt, offsetSeconds, timezone, tzVersion } = event
  const status = row[AFTER_CLAIM] ? 'PENDING' : 'PROCESSING'
  const open = { id, occurrence, status, version, targetAt, offsetSeconds, timezone, tzVersion } as const
  return { occasion, task, open, lastSettled: null }
}
