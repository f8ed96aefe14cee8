// The invariant of destinations that are down: they use no retries.
import { DAY } from '../../support/fixtures.ts'
import { changesOf, type EventRow } from '../record/ledger.ts'
import { firstWrong, type Rule } from './rule.ts'

/** No response, or the response of a proxy or a mail server that is out of service. */
const UNRESPONSIVE: readonly (number | null)[] = [null, 502, 503, 504, 421]
const GIVEN_UP_MS = 7 * DAY

const downUsesNoRetry: Rule = {
  name: 'down uses no retry',
  description:
    'An attempt without a response uses no retry, unless the receiver responded to others since the event failed before, or after a week.',
  watch() {
    /** How often a process got a response from a channel. */
    const responses = new Map<string, number>()
    /** `responses` when an event last got none. */
    const failedAt = new Map<string, number>()
    const free = new Set<string>()
    return (entry) => {
      if (entry.kind === 'result') {
        const line = `${entry.who} ${entry.channel}`
        const one = `${line} ${entry.eventId}`
        const count = responses.get(line) ?? 0
        free.delete(`${entry.who} ${entry.eventId}`)
        if (!UNRESPONSIVE.includes(entry.statusCode)) responses.set(line, count + 1)
        else {
          if ((failedAt.get(one) ?? count) === count) free.add(`${entry.who} ${entry.eventId}`)
          failedAt.set(one, count)
        }
      }
      if (entry.kind !== 'commit' || entry.op !== 'settle') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (before === null || after === null || !free.delete(`${entry.who} ${after.id}`)) return null
        if (entry.at - before.target_at > GIVEN_UP_MS || before.replay_of !== null) return null
        const isUsed = after.retry_count > before.retry_count || after.failure_code === 'RETRIES_EXHAUSTED'
        return isUsed ? `${after.id} lost a retry because its receiver did not respond.` : null
      })
    }
  },
}

export const RECOVERY_RULES: readonly Rule[] = [downUsesNoRetry]
