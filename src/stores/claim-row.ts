// A claimed event as every store reads it: one row, its columns in this order.
import type { Claim, Render } from '../ports/store.ts'

/**
 * Event: id, occasion id, occurrence, target, offset, timezone, tz version, version, plan revision, retry count, claimed
 * at, body. User: id, first name, last name, date of birth, timezone. Occasion: type, date, local time, leap day, template.
 * Read by position: taking the row apart with patterns doubled the time of a claim.
 */
export function claimFromRow(row: readonly unknown[]): Claim {
  const occasionId = row[1]
  const userId = row[12]
  const eventType = row[17]
  return {
    id: row[0],
    occasionId,
    occurrence: row[2],
    targetAt: row[3],
    offsetSeconds: row[4],
    timezone: row[5],
    tzVersion: row[6],
    eventType,
    version: row[7],
    planRevision: row[8],
    retryCount: row[9],
    claimedAt: row[10],
    body: row[11],
    user: { id: userId, firstName: row[13], lastName: row[14], dateOfBirth: row[15], timezone: row[16] },
    occasion: {
      id: occasionId,
      userId,
      type: eventType,
      date: row[18],
      localTime: row[19],
      leapDay: row[20],
      template: row[21],
    },
  } as Claim
}

/** Gives each claim without a body the one that `render` makes for it, and returns what there is to keep: event and body. */
export function renderNew(claims: readonly Claim[], render: Render): [eventId: string, body: string][] {
  const rendered: [string, string][] = []
  for (const claim of claims) {
    if (claim.body !== null) continue
    claim.body = render(claim)
    if (claim.body !== null) rendered.push([claim.id, claim.body])
  }
  return rendered
}
