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
  settled(
    'a delivery was settled before its claim',
    'birthday',
    `executed_at = claimed_at - ${HOUR}`,
    NOT_ACCEPTED,
  ),
  settled('a delivery has the status 500', 'birthday', 'status_code = 500', NOT_ACCEPTED),
  settled('a delivery has the code of a failure', 'birthday', `failure_code = 'TIMEOUT'`, NOT_ACCEPTED),
  {
    lie: 'a delivery has no body',
    of: 'birthday',
    sql: ['DELETE FROM payloads WHERE event_id = :event'],
    found: [NOT_ACCEPTED],
  },
  settled('a failed message was relabelled as delivered', 'failed', `status = 'COMPLETED'`, NOT_ACCEPTED),
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
