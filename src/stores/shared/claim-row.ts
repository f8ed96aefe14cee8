// A claimed event as every store reads it: one row, its columns in this order.
import type { Task } from '../../domain/tasks/task.ts'
import type { Claim, Render } from '../../ports/claim.ts'

/**
 * Event: id, occasion id, occurrence, target, offset, timezone, tz version, version, plan revision, retry count, claimed
 * at, body, replay of, own key. User: id, first name, last name, date of birth, timezone, e-mail, language. Occasion: type,
 * date, local time, leap day, template, channel, not after, repeats, calendar, ruleRevision, until, paused at, version. Task, as
 * JSON. Last, where it is known: whether it was taken over.
 * Read by position: taking the row apart with patterns doubled the time of a claim.
 */
export function claimFromRow(row: readonly unknown[]): Claim {
  const occasionId = row[1]
  const userId = row[14]
  const eventType = row[21]
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
    replayOf: row[12],
    ownKey: Boolean(row[13]),
    reclaimed: Boolean(row[35]),
    user: {
      id: userId,
      firstName: row[15],
      lastName: row[16],
      dateOfBirth: row[17],
      timezone: row[18],
      email: row[19],
      language: row[20],
    },
    occasion: {
      id: occasionId,
      userId,
      type: eventType,
      date: row[22],
      localTime: row[23],
      leapDay: row[24],
      template: row[25],
      channelId: row[26],
      notAfter: row[27],
      repeats: row[28],
      calendar: row[29],
      ruleRevision: row[30],
      until: row[31],
      pausedAt: row[32],
      version: row[33],
    },
    task: row[34] === null ? null : taskFromJson(row[34] as string),
  } as Claim
}

/** An array: the columns of a task, in the order of its table. */
function taskFromJson(json: string): Task {
  const [id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours, ...rest] = JSON.parse(json)
  const [completedAt, reminderSentAt, createdAt, updatedAt, version] = rest
  const task = { id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours }
  return { ...task, completedAt, reminderSentAt, createdAt, updatedAt, version }
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

/** What an attempt says whose worker died, or lost its lease, before it told the end. */
export const UNKNOWN_ERROR = 'LEASE_EXPIRED: the worker was not heard of again; it may have been delivered.'
