// Posts the alarm of the ledger to LEDGER_ALARM_URL.
import type { PostAlarm } from '../app/ledger/alarm.ts'
import type { Dial } from '../channels/dial/dial.ts'
import { call } from './heartbeat.ts'

/** Longer than a slow receiver takes: an alarm that was not accepted in time is posted again by every check. */
export const ALARM_TIMEOUT_MS = 10_000

export function createPostAlarm(dial: Dial, url: string | null): PostAlarm | null {
  if (url === null) return null
  const headers = { 'Content-Type': 'application/json' }
  return (alarm) =>
    call(dial, url, {
      method: 'POST',
      headers,
      body: JSON.stringify(alarm),
      timeoutMs: ALARM_TIMEOUT_MS,
    })
}
