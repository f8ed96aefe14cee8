// Outcomes that no attempt had, and failures without the reason that they name.
import { change, HOUR, type Lie } from './lie.ts'

const settled = (lie: string, of: string, set: string, found: string): Lie => ({
  lie,
  of,
  sql: [change(':event', set)],
  found: [found],
})

const NOT_ACCEPTED = 'unexplained NO_ACCEPTED_ATTEMPT'
const NO_OUTCOME = 'unexplained NO_OUTCOME'
const EXCUSED = `status = 'FAILED', status_code = NULL, failure_code =`

export const LIES_ABOUT_OUTCOMES: readonly Lie[] = [
  settled('a delivery has no time of its claim', 'birthday', 'claimed_at = NULL', NOT_ACCEPTED),
  settled('a delivery has no worker', 'birthday', 'claimed_by = NULL', NOT_ACCEPTED),
  settled('a delivery has no time of its settlement', 'birthday', 'executed_at = NULL', NOT_ACCEPTED),
  settled('a delivery has the status 500', 'birthday', 'status_code = 500', NOT_ACCEPTED),
  settled('a delivery has the code of a failure', 'birthday', `failure_code = 'TIMEOUT'`, NOT_ACCEPTED),
  {
    lie: 'a delivery has no body',
    of: 'birthday',
    sql: ['DELETE FROM payloads WHERE event_id = :event'],
    found: [NOT_ACCEPTED],
  },
  settled('a failed message was relabelled as delivered', 'failed', `status = 'COMPLETED'`, NOT_ACCEPTED),
  settled(
    'a delivery was settled in the future',
    'birthday',
    `executed_at = executed_at + ${4 * 24 * HOUR}`,
    'unexplained SETTLED_IN_FUTURE',
  ),
  settled(
    'a failure was settled in the future as too late',
    'failed',
    `${EXCUSED} 'MISSED_WINDOW', executed_at = executed_at + ${4 * 24 * HOUR}`,
    'unexplained SETTLED_IN_FUTURE',
  ),
  settled(
    'a failure was never claimed',
    'failed',
    'claimed_at = NULL, claimed_by = NULL',
    'unexplained NEVER_CLAIMED',
  ),
  {
    lie: 'a rejected message was relabelled as cut off, hours before its cut-off',
    of: 'failed',
    sql: [
      `UPDATE occasions SET not_after = '22:00' WHERE id = :occasion`,
      change(':event', `failure_code = 'CUT_OFF'`),
    ],
    found: ['unexplained CUT_OFF_NOT_RECORDED'],
  },
  {
    lie: 'the limits of lateness were removed, and a failure was relabelled as too late',
    of: 'failed',
    sql: [
      `DELETE FROM journal WHERE kind = 'limits-changed'`,
      change(':event', `${EXCUSED} 'MISSED_WINDOW'`),
    ],
    found: ['unexplained MISSED_WINDOW_NOT_RECORDED'],
  },
  settled('a failure has no code', 'failed', 'failure_code = NULL', NO_OUTCOME),
  settled('a failure has no time', 'failed', 'executed_at = NULL', NO_OUTCOME),
  settled(
    'a failure names a pause that never was',
    'failed',
    `${EXCUSED} 'OCCASION_PAUSED'`,
    'unexplained OCCASION_PAUSED_NOT_RECORDED',
  ),
  settled(
    'a failure names a task that does not exist',
    'failed',
    `${EXCUSED} 'TASK_COMPLETED'`,
    'unexplained TASK_COMPLETED_NOT_RECORDED',
  ),
  settled(
    'a failure names a cut-off time that the occasion never had',
    'failed',
    `${EXCUSED} 'CUT_OFF'`,
    'unexplained CUT_OFF_NOT_RECORDED',
  ),
  settled(
    'a failure names lateness within the limit',
    'failed',
    `${EXCUSED} 'MISSED_WINDOW'`,
    'unexplained MISSED_WINDOW_NOT_RECORDED',
  ),
  settled(
    'a delivery was relabelled as missed',
    'birthday',
    `${EXCUSED} 'MISSED_WINDOW'`,
    'unexplained MISSED_WINDOW_NOT_RECORDED',
  ),
  settled(
    'a reminder names a completion that never was',
    'reminded',
    `${EXCUSED} 'TASK_COMPLETED'`,
    'unexplained TASK_COMPLETED_NOT_RECORDED',
  ),
]
