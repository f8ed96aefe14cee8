// How often is tried, and until when.

import { cutOffOf } from '../oracle/expected-schedule.ts'
import { NOT_LET_IN } from '../record/channel-views.ts'
import { changesOf, type EventRow } from '../record/ledger.ts'
import { RETRY_POLICY } from '../support/settings.ts'
import { firstWrong, type Rule } from './rule.ts'

type AttemptRow = { event_id: string; finished_at: number; status_code: number | null; error: string }

const RETRIES = RETRY_POLICY.delaysMs.length
/** HTTP's and, from a mail server, all that begin with 4. */
const WORTH_ANOTHER_TRY = [408, 425, 429, 421, 450, 451]

const limited: Rule = {
  name: 'tries are limited',
  words:
    'An attempt whose end is known counts; there is the first and then as many as the policy has retries.',
  watch: () => (entry) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ after }) =>
      after !== null && after.retry_count > RETRIES ? `${after.id} is at retry ${after.retry_count}.` : null,
    )
  },
}

const permanentIsFinal: Rule = {
  name: 'no means no',
  words: 'What the receiver refused for good is not tried again, unless it was us that it refused.',
  watch: () => (entry) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<AttemptRow>(entry.rows, 'attempts'), ({ after }) => {
      const status = after?.status_code ?? 500
      const permanent = status >= 300 && status < 500 && !WORTH_ANOTHER_TRY.includes(status)
      return permanent && !NOT_LET_IN.includes(status)
        ? `${after!.event_id} is to be tried again after HTTP ${status}.`
        : null
    })
  },
}

const timeGranted: Rule = {
  name: 'time granted',
  words: 'A receiver that asks for time before the next try gets it.',
  watch() {
    const askedMs = new Map<string, number>()
    return (entry) => {
      if (entry.kind === 'arrival') askedMs.set(`${entry.who} ${entry.eventId}`, entry.retryAfterMs)
      if (entry.kind !== 'commit') return null
      const events = changesOf<EventRow>(entry.rows, 'events')
      return firstWrong(changesOf<AttemptRow>(entry.rows, 'attempts'), ({ after }) => {
        const asked = askedMs.get(`${entry.who} ${after?.event_id}`)
        const event = events.find((change) => change.after?.id === after?.event_id)?.after
        if (after?.status_code !== 429 || !event?.wake_at || asked === undefined) return null
        const granted = event.wake_at - after.finished_at
        return granted < asked ? `${event.id} is tried again after ${granted} ms, not ${asked}.` : null
      })
    }
  },
}

const notAfter: Rule = {
  name: 'not after',
  words:
    'Nothing is sent after the hour that its occasion names as the last, unless somebody asked for it again.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const event = ledger.eventOf(entry.eventId)
    const occasion = ledger.occasionTaken(entry.who, entry.eventId)
    const cutOff = event && cutOffOf(event, occasion?.not_after ?? null, ledger.releaseOf(entry.who))
    if (cutOff == null || event?.replay_of !== null || entry.clock <= cutOff) return null
    return `${entry.eventId} is sent ${entry.clock - cutOff} ms after its last hour.`
  },
}

export const ATTEMPT_RULES: readonly Rule[] = [limited, permanentIsFinal, timeGranted, notAfter]
