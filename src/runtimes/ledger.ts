// Posts the reports of days to LEDGER_URL, signed with LEDGER_SECRET as a webhook is.
import type { PostReport } from '../app/ledger/ledger-deps.ts'
import type { Dial } from '../channels/dial/dial.ts'
import { createHeaders } from '../channels/webhook/headers.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from './config/config.ts'
import { call } from './shared/heartbeat.ts'

/** Longer than a slow receiver takes: a report that was not accepted in time is posted again by every check. */
export const REPORT_TIMEOUT_MS = 10_000

export function createPostReport(
  dial: Dial,
  { ledgerUrl: url, ledgerSecrets }: Pick<Config, 'ledgerUrl' | 'ledgerSecrets'>,
  clock: Clock,
): PostReport | null {
  if (url === null) return null
  const headersOf = createHeaders(ledgerSecrets, clock)
  return (key, report) => {
    const body = JSON.stringify(report)
    const headers = headersOf({ idempotencyKey: key, body })
    return call(dial, url, { method: 'POST', headers, body, timeoutMs: REPORT_TIMEOUT_MS })
  }
}
