// How often is tried, and why it ends.
import { changesOf, type EventRow } from '../ledger.ts'
import { RETRY_POLICY } from '../settings.ts'
import { firstWrong, type Rule } from './rule.ts'

type AttemptRow = { event_id: string; finished_at: number; status_code: number | null; error: string }

const RETRIES = RETRY_POLICY.delaysMs.length
const WORTH_ANOTHER_TRY = [408, 425, 429]

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
  words: 'What the receiver refused for good is not tried again.',
  watch: () => (entry) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<AttemptRow>(entry.rows, 'attempts'), ({ after }) => {
      const status = after?.status_code ?? 500
      const permanent = status >= 300 && status < 500 && !WORTH_ANOTHER_TRY.includes(status)
      return permanent ? `${after!.event_id} is to be tried again after HTTP ${status}.` : null
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

const failedForCause: Rule = {
  name: 'failed for cause',
  words:
    'FAILED has a reason that is true: refused for good, all retries used up, too late, or a receiver that is gone.',
  watch({ catchUpWindowMs }) {
    const refused = new Set<string>()
    const switchedOff = new Set<string>()
    return (entry) => {
      if (entry.kind === 'arrival') {
        refused.add(`${entry.eventId} HTTP ${entry.reply}`)
        if (entry.reply === '410') switchedOff.add(entry.who)
      }
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ after }) => {
        if (after?.status !== 'FAILED') return null
        const { id, failure_reason: reason, retry_count, executed_at, target_at, replay_of } = after
        const wrong = `${id} is FAILED with "${reason}".`
        if (reason === null) return wrong
        if (reason.startsWith('RETRIES_EXHAUSTED')) return retry_count === RETRIES ? null : wrong
        if (reason.startsWith('MISSED_WINDOW'))
          return replay_of === null && catchUpWindowMs !== null && executed_at! - target_at > catchUpWindowMs
            ? null
            : wrong
        if (reason.startsWith('CHANNEL_DISABLED')) return switchedOff.has(entry.who) ? null : wrong
        return refused.has(`${id} ${reason}`) ? null : wrong
      })
    }
  },
}

export const ATTEMPT_RULES: readonly Rule[] = [limited, permanentIsFinal, timeGranted, failedForCause]
