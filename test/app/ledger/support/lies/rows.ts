// Rows that were deleted, added or duplicated.
import { change, copyOf, FORGED_ID, HOUR, type Lie, YEAR } from './lie.ts'

const DAY_MS = 24 * HOUR
const FAR = Date.parse('2099-01-01')
/** Of January 2024. */
const OLD_ID = '018cc251-f400-7000-8000-000000000001'

export const LIES_ABOUT_ROWS: readonly Lie[] = [
  {
    lie: 'a date of birth was replaced by a text that is no date, and the event deleted',
    of: 'birthday',
    sql: [
      "UPDATE users SET date_of_birth = 'x' WHERE id = (SELECT user_id FROM occasions WHERE id = :occasion)",
      'DELETE FROM events WHERE occasion_id = :occasion',
    ],
    found: ['unexplained UNREADABLE'],
  },
  {
    lie: 'a delivered event was deleted',
    of: 'birthday',
    sql: ['DELETE FROM events WHERE id = :event'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'a failed event was deleted',
    of: 'failed',
    sql: ['DELETE FROM events WHERE id = :event'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'a delivered event was deleted, and its occasion was paused later',
    of: 'pausedLater',
    sql: ['DELETE FROM events WHERE id = :event'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'the event of an occasion without a successor was deleted',
    of: 'once',
    sql: ['DELETE FROM events WHERE id = :event'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'the last event before the end of an occasion was deleted',
    of: 'ending',
    sql: ['DELETE FROM events WHERE id = :event'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'the successor of a yearly event was deleted',
    of: 'birthday',
    sql: ['DELETE FROM events WHERE id = :next'],
    found: ['unexplained UNPLANNED'],
  },
  {
    lie: 'the successor of a weekly event was deleted',
    of: 'weekly',
    sql: ['DELETE FROM events WHERE id = :next'],
    found: ['unexplained UNPLANNED'],
  },
  {
    lie: 'all events of an occasion were deleted',
    of: 'weekly',
    sql: ['DELETE FROM events WHERE occasion_id = :occasion'],
    found: ['unexplained NO_EVENT'],
  },
  {
    lie: 'a person was deleted, and their events were left',
    of: 'birthday',
    sql: ['DELETE FROM users WHERE id = :user'],
    found: ['unexplained PEOPLE_MISSING', 'unexplained VANISHED'],
  },
  {
    lie: 'an occasion was deleted, and its events were left',
    of: 'weekly',
    sql: ['DELETE FROM occasions WHERE id = :occasion'],
    found: ['unexplained VANISHED'],
  },
  {
    lie: 'every row of a person was deleted',
    of: 'birthday',
    sql: ['DELETE FROM events WHERE occasion_id = :occasion', 'DELETE FROM users WHERE id = :user'],
    found: ['unexplained PEOPLE_MISSING', 'unexplained VANISHED'],
  },
  {
    lie: 'a person was added who has an occasion and no event',
    of: 'birthday',
    sql: [
      `INSERT INTO users (id, first_name, last_name, search_text, date_of_birth, timezone, version, created_at, updated_at)
        SELECT '01f00000-0000-7000-8000-000000000002', 'A', 'B', 'a b', '1990-06-01', timezone, 1, created_at, updated_at
        FROM users WHERE id = :user`,
      `INSERT INTO occasions (id, user_id, type, local_time, leap_day) SELECT '01f00000-0000-7000-8000-000000000003',
        '01f00000-0000-7000-8000-000000000002', type, local_time, leap_day FROM occasions WHERE id = :occasion`,
    ],
    found: ['unexplained UNPLANNED'],
  },
  {
    lie: 'a delivered event was duplicated under the name of another occurrence',
    of: 'birthday',
    sql: copyOf(':event', { occurrence: `'2026'` }),
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'a weekly message was delivered on a day that its rule does not have',
    of: 'weekly',
    sql: copyOf(':event', { occurrence: `'2027-03-13'` }),
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'a second open event was added',
    of: 'weekly',
    sql: copyOf(':next', {
      occurrence: `'2027-03-26'`,
      target_at: `target_at + ${7 * DAY_MS}`,
      wake_at: `wake_at + ${7 * DAY_MS}`,
    }),
    found: ['unexplained TWO_PLANNED'],
  },
  {
    lie: 'a delivered message was delivered again by a replay',
    of: 'replayed',
    sql: copyOf(':event', {
      occurrence: `'2027~2'`,
      status: `'COMPLETED'`,
      failure_code: 'NULL',
      status_code: '200',
      replay_of: 'id',
    }),
    found: ['surplus SENT_TWICE'],
  },
  {
    lie: 'a message was delivered for an occasion that was paused',
    of: 'paused',
    sql: [
      `UPDATE events SET occurrence = '2027-03-12', target_at = target_at + ${2 * DAY_MS},
        claimed_at = claimed_at + ${2 * DAY_MS}, executed_at = executed_at + ${2 * DAY_MS}
        WHERE occasion_id = :occasion AND occurrence = '2027-03-10'`,
    ],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'a message was delivered after the end of its occasion',
    of: 'ending',
    sql: [`UPDATE occasions SET until = '2027-03-11' WHERE id = :occasion`],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'a planned event was moved an hour later',
    of: 'birthday',
    sql: [change(':next', `target_at = target_at + ${HOUR}, wake_at = wake_at + ${HOUR}`)],
    found: ['unexplained MISPLANNED'],
  },
  {
    lie: 'a planned event was moved an hour earlier',
    of: 'daily',
    sql: [change(':next', `target_at = target_at - ${HOUR}, wake_at = wake_at - ${HOUR}`)],
    found: ['unexplained MISPLANNED'],
  },
  {
    lie: 'a message was delivered an hour late, and its due time says so',
    of: 'birthday',
    sql: [
      change(
        ':event',
        `target_at = target_at + ${HOUR}, claimed_at = claimed_at + ${HOUR}, executed_at = executed_at + ${HOUR}`,
      ),
    ],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'a message was delivered an hour early, and its due time says so',
    of: 'weekly',
    sql: [
      change(
        ':event',
        `target_at = target_at - ${HOUR}, claimed_at = claimed_at - ${HOUR}, executed_at = executed_at - ${HOUR}`,
      ),
    ],
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'the successor skipped a week',
    of: 'weekly',
    sql: [
      change(
        ':next',
        `occurrence = '2027-03-26', target_at = target_at + ${7 * DAY_MS}, wake_at = wake_at + ${7 * DAY_MS}`,
      ),
    ],
    found: ['unexplained SKIPPED'],
  },
  {
    lie: 'the successor skipped a year',
    of: 'birthday',
    sql: [
      change(':next', `occurrence = '2029', target_at = target_at + ${YEAR}, wake_at = wake_at + ${YEAR}`),
    ],
    found: ['unexplained SKIPPED'],
  },
  {
    lie: 'a message that was due was put back to wait until 2099',
    of: 'birthday',
    sql: [
      'DELETE FROM events WHERE id = :next',
      change(
        ':event',
        `status = 'PROCESSING', wake_at = ${FAR}, executed_at = NULL, status_code = NULL, retry_count = 1`,
      ),
    ],
    found: ['unexplained ASLEEP'],
  },
  {
    lie: 'a planned event does not wake before 2099',
    of: 'birthday',
    sql: [change(':next', `wake_at = ${FAR}`)],
    found: ['unexplained ASLEEP'],
  },
  {
    lie: 'a message is claimed by nobody until 2099',
    of: 'birthday',
    sql: [
      'DELETE FROM events WHERE id = :next',
      change(
        ':event',
        `status = 'PROCESSING', wake_at = ${FAR}, lease_until = ${FAR}, executed_at = NULL, status_code = NULL`,
      ),
    ],
    found: ['unexplained STUCK'],
  },
  {
    lie: 'a failure was moved to a day that is closed',
    of: 'failed',
    sql: [change(':event', `target_at = target_at - ${2 * DAY_MS}`)],
    found: ['unexplained NOT_OWED'],
  },
  {
    lie: 'a message was delivered again under an id of an earlier month',
    of: 'birthday',
    sql: copyOf(':event', { occurrence: `'2026'` }).map((sql) => sql.replaceAll(FORGED_ID, OLD_ID)),
    found: ['surplus NOT_OWED'],
  },
  {
    lie: 'the account of the day was marked as done before it began',
    of: 'birthday',
    sql: [`INSERT INTO ledger_days (day, started_at, cursor) VALUES ('2027-03-12', 0, 'done')`],
    found: ['unexplained PEOPLE_MISSING'],
  },
  {
    lie: 'the account of the day began after the last person',
    of: 'birthday',
    sql: [
      `INSERT INTO ledger_days (day, started_at, cursor)
        VALUES ('2027-03-12', 0, 'people ffffffff-ffff-ffff-ffff-ffffffffffff')`,
    ],
    found: ['unexplained PEOPLE_MISSING'],
  },
  {
    lie: 'a person whom earlier accounts have seen was removed from every table',
    of: 'birthday',
    sql: [
      'DELETE FROM ledger_occasions WHERE occasion_id IN (SELECT id FROM occasions WHERE user_id = :user)',
      'DELETE FROM events WHERE occasion_id = :occasion',
      'DELETE FROM users WHERE id = :user',
    ],
    found: ['unexplained PEOPLE_MISSING'],
  },
]
