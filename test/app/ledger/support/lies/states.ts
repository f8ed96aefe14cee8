// Changes of people, occasions, tasks and timezone rules without a record, and records that were altered.
import { tzdb } from '../../../../../src/domain/time/tzdb.ts'
import { change, HOUR, type Lie } from './lie.ts'

/** Puts the rules of Tokyo in force for a zone, with a record, and plans nothing again. */
function newRules(zone: string, at: string): string[] {
  const before = { rules: tzdb.rules(zone), version: tzdb.version }
  const after = { rules: tzdb.rules('Asia/Tokyo'), version: '2099z' }
  return [
    `INSERT OR REPLACE INTO timezones (name, rules, version) VALUES ('${zone}', '${after.rules}', '2099z')`,
    `INSERT INTO journal (at, kind, subject, details)
      VALUES (${Date.parse(at)}, 'zone-changed', '${zone}', '${JSON.stringify({ before, after })}')`,
  ]
}

export const LIES_ABOUT_STATES: readonly Lie[] = [
  {
    lie: 'the record of a pause was deleted after a delivery on its day',
    of: 'pausedLater',
    sql: ['DELETE FROM journal WHERE occasion_id = :occasion'],
    found: ['surplus NOT_OWED', 'unexplained PAUSE_NOT_RECORDED'],
  },
  {
    lie: 'the record of a pause that excuses the day was deleted',
    of: 'paused',
    sql: ['DELETE FROM journal WHERE occasion_id = :occasion'],
    found: ['unexplained PAUSE_NOT_RECORDED'],
  },
  {
    lie: 'an occasion was paused without a record, and its event was left',
    of: 'birthday',
    sql: ['UPDATE occasions SET paused_at = 1804950000000 WHERE id = :occasion'],
    found: ['surplus NOT_OWED', 'unexplained MISPLANNED'],
  },
  {
    lie: 'an occasion was paused without a record, and its events were deleted',
    of: 'weekly',
    sql: [
      'UPDATE occasions SET paused_at = 1804831200000 WHERE id = :occasion',
      'DELETE FROM events WHERE occasion_id = :occasion',
    ],
    found: ['unexplained PAUSE_NOT_RECORDED'],
  },
  {
    lie: 'a paused occasion was resumed without a record and without an event',
    of: 'paused',
    sql: ['UPDATE occasions SET paused_at = NULL WHERE id = :occasion'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'a person was put into another timezone, and the planned event was left',
    of: 'birthday',
    sql: [`UPDATE users SET timezone = 'Asia/Tokyo' WHERE id = :user`],
    found: ['surplus NOT_OWED', 'unexplained MISPLANNED'],
  },
  {
    lie: 'a date of birth was changed, and the planned event was left',
    of: 'birthday',
    sql: [`UPDATE users SET date_of_birth = '1990-03-13' WHERE id = :user`],
    found: ['surplus NOT_OWED', 'unexplained MISPLANNED'],
  },
  {
    lie: 'the delivery time of an occasion was changed, and the planned event was left',
    of: 'weekly',
    sql: [`UPDATE occasions SET local_time = '10:00' WHERE id = :occasion`],
    found: ['surplus NOT_OWED', 'unexplained MISPLANNED'],
  },
  {
    lie: 'the rule of an occasion was changed, and the planned event was left',
    of: 'weekly',
    sql: [`UPDATE occasions SET repeats = 'FREQ=DAILY' WHERE id = :occasion`],
    found: ['unexplained SKIPPED'],
  },
  {
    lie: 'the revision of a rule was raised',
    of: 'weekly',
    sql: ['UPDATE occasions SET rule_revision = rule_revision + 1 WHERE id = :occasion'],
    found: ['surplus NOT_OWED', 'unexplained MISPLANNED'],
  },
  {
    lie: 'the end of an occasion was postponed without an event',
    of: 'ending',
    sql: [`UPDATE occasions SET until = '2027-04-12' WHERE id = :occasion`],
    found: ['unexplained UNPLANNED'],
  },
  {
    lie: 'the record of a move was deleted',
    of: 'moved',
    sql: ['DELETE FROM journal WHERE user_id = :user'],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'the record of a move was altered',
    of: 'moved',
    sql: [
      `UPDATE journal SET details = replace(details, 'Europe/Berlin', 'Asia/Tokyo') WHERE user_id = :user`,
    ],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'the record of a move was dated before the delivery',
    of: 'moved',
    sql: [`UPDATE journal SET at = at - ${24 * HOUR} WHERE user_id = :user`],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'a reminder was sent an hour late, and its due time says so',
    of: 'reminded',
    sql: [
      change(
        ':event',
        `target_at = target_at + ${HOUR}, claimed_at = claimed_at + ${HOUR}, executed_at = executed_at + ${HOUR}`,
      ),
    ],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'a planned reminder was moved an hour later',
    of: 'toRemind',
    sql: [change(':next', `target_at = target_at + ${HOUR}, wake_at = wake_at + ${HOUR}`)],
    found: ['unexplained MISPLANNED'],
  },
  {
    lie: 'a planned reminder was deleted',
    of: 'toRemind',
    sql: ['DELETE FROM events WHERE id = :next'],
    found: ['unexplained UNPLANNED'],
  },
  {
    lie: 'a sent reminder was deleted',
    of: 'reminded',
    sql: ['DELETE FROM events WHERE id = :event'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'the due time of a task was changed, and the planned reminder was left',
    of: 'toRemind',
    sql: [`UPDATE tasks SET due_at = due_at + ${24 * HOUR} WHERE id = :occasion`],
    found: ['unexplained MISPLANNED'],
  },
  {
    lie: 'a task was completed without a record, and its reminder was left',
    of: 'toRemind',
    sql: ['UPDATE tasks SET completed_at = updated_at WHERE id = :occasion'],
    found: ['unexplained MISPLANNED'],
  },
  {
    lie: 'a task was reopened without a record and without a reminder',
    of: 'completed',
    sql: ['UPDATE tasks SET completed_at = NULL WHERE id = :occasion'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'new timezone rules were in force for a day, and a message was sent by the old ones',
    of: 'once',
    sql: newRules('Asia/Kolkata', '2027-03-11T00:00:00Z'),
    found: ['surplus NOT_OWED', 'unexplained MISPLANNED'],
  },
  {
    lie: 'new timezone rules were put in force, and the two planned events of a person were left',
    of: 'daily',
    sql: newRules('Pacific/Kiritimati', '2027-03-13T10:00:00Z'),
    found: ['unexplained MISPLANNED', 'unexplained MISPLANNED'],
  },
  ...(['person-changed', 'person-deleted', 'zone-changed', 'limits-changed'] as const).map((kind) => ({
    lie: `an entry of the journal was damaged: ${kind}`,
    of: 'moved',
    sql: [
      `UPDATE journal SET details = '{"x' WHERE number = (SELECT min(number) FROM journal WHERE kind = '${kind}')`,
    ],
    found: ['unexplained UNREADABLE'],
  })),
  {
    lie: 'the erased events of a deletion are no list',
    of: 'moved',
    sql: [`UPDATE journal SET details = '5' WHERE kind = 'person-deleted'`],
    found: ['unexplained UNREADABLE'],
  },
]
