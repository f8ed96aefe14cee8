// Invariants of attempts: how many, and until when.

import { HOUR } from '../../support/fixtures.ts'
import { cutOffOf } from '../../support/oracle/schedule.ts'
import { UNAUTHORIZED } from '../record/channel-views.ts'
import { changesOf, type EventRow } from '../record/ledger.ts'
import { RETRY_POLICY } from '../support/settings.ts'
import { firstWrong, type Rule } from './rule.ts'

type AttemptRow = {
  event_id: string
  finished_at: number
  status_code: number | null
  error: string
  exchange: string | null
}

const RETRIES = RETRY_POLICY.delaysMs.length
/** Statuses of HTTP, and those of a mail server that begin with 4. */
const RETRYABLE = [408, 425, 429, 421, 450, 451]

const attemptsAreLimited: Rule = {
  name: 'attempts are limited',
  description:
    'An event has one attempt and as many retries as the policy allows, a reminder one an hour more until its task is due; every attempt with a known result counts.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
      if (after === null || after.retry_count <= Math.max(RETRIES, before?.retry_count ?? 0)) return null
      const task = ledger.taskAtClaim(entry.who, after.id)
      const waitMs = after.wake_at! - after.updated_at
      const isHourly = waitMs >= HOUR && (waitMs <= 1.5 * HOUR || task?.quiet_hours != null)
      if (task !== undefined && isHourly && after.wake_at! <= task.due_at) return null
      return `${after.id} is at retry ${after.retry_count}, after ${waitMs} ms.`
    })
  },
}

const permanentRejectionIsFinal: Rule = {
  name: 'permanent rejection is final',
  description:
    'A message that the receiver rejected permanently is not retried, unless the rejection was of our credentials, or it is a reminder, which is tried hourly.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<AttemptRow>(entry.rows, 'attempts'), ({ after }) => {
      const status = after?.status_code ?? 500
      const permanent = status >= 300 && status < 500 && !RETRYABLE.includes(status)
      const event = ledger.eventOf(after?.event_id ?? '')
      const isReminder = event !== undefined && ledger.tasks.has(event.occasion_id)
      const isHourly = isReminder && event.wake_at !== null && event.wake_at - event.updated_at >= HOUR
      return permanent && !UNAUTHORIZED.includes(status) && !(isHourly && status >= 400 && status !== 410)
        ? `${after!.event_id} is to be retried after HTTP ${status}.`
        : null
    })
  },
}

const retryAfterIsHonoured: Rule = {
  name: 'Retry-After is honoured',
  description: 'A receiver that asks for time before the next attempt gets it.',
  watch() {
    const askedMs = new Map<string, number>()
    /** The instant that was granted, by event. Instants of the database: the clocks of workers differ. */
    const grantedAt = new Map<string, number>()
    return (entry) => {
      if (entry.kind === 'arrival') askedMs.set(`${entry.who} ${entry.eventId}`, entry.retryAfterMs)
      if (entry.kind !== 'commit') return null
      const events = changesOf<EventRow>(entry.rows, 'events')
      const woken = firstWrong(events, ({ before, after }) => {
        const granted = grantedAt.get(after?.id ?? '')
        if (after === null || granted === undefined) return null
        // A change of the person or the occasion plans another instant.
        const isOver = after.lease_until !== null || before?.target_at !== after.target_at
        if (isOver) grantedAt.delete(after.id)
        return !isOver && after.wake_at !== null && after.wake_at < granted
          ? `${after.id} is woken ${granted - after.wake_at} ms too early.`
          : null
      })
      const settled = firstWrong(changesOf<AttemptRow>(entry.rows, 'attempts'), ({ after }) => {
        const asked = askedMs.get(`${entry.who} ${after?.event_id}`)
        const event = events.find((change) => change.after?.id === after?.event_id)?.after
        // Without a status it was lost, and nobody knows what the receiver asked for.
        if (after?.status_code == null || !event?.wake_at || !asked) return null
        grantedAt.set(event.id, after.finished_at + asked)
        const granted = event.wake_at - after.finished_at
        return granted < asked ? `${event.id} is retried after ${granted} ms, not ${asked}.` : null
      })
      return woken ?? settled
    }
  },
}

const nothingAfterTheCutOff: Rule = {
  name: 'nothing after the cut-off',
  description: 'Nothing is sent after the cut-off hour of its occasion, except a replay.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const event = ledger.eventOf(entry.eventId)
    const occasion = ledger.occasionAtClaim(entry.who, entry.eventId)
    const cutOff = event && cutOffOf(event, occasion?.not_after ?? null, ledger.releaseOf(entry.who))
    if (cutOff == null || event?.replay_of !== null || entry.clock <= cutOff) return null
    return `${entry.eventId} is sent ${entry.clock - cutOff} ms after its cut-off.`
  },
}

const responseIsOfItsAttempt: Rule = {
  name: 'response is of its attempt',
  description:
    'The response stored with an attempt is the one that its worker got for that event, and is stored once.',
  watch() {
    /** `worker event response` for every result that is not stored yet. */
    const got = new Set<string>()
    return (entry) => {
      if (entry.kind === 'result') got.add(`${entry.who} ${entry.eventId} ${entry.response}`)
      if (entry.kind !== 'commit') return null
      const attempts = changesOf<AttemptRow>(entry.rows, 'attempts').map(({ before, after }) => ({
        id: after?.event_id,
        stored: before === null ? responseIn(after) : null,
      }))
      const events = changesOf<EventRow>(entry.rows, 'events').map(({ before, after }) => ({
        id: after?.id,
        stored: responseIn(before) === null ? responseIn(after) : null,
      }))
      return firstWrong([...attempts, ...events], ({ id, stored }) =>
        stored === null || got.delete(`${entry.who} ${id} ${stored}`)
          ? null
          : `${id} is stored with "${stored}", which ${entry.who} did not get for it, or stored before.`,
      )
    }
  },
}

function responseIn(row: { exchange: string | null } | null): string | null {
  return row?.exchange ? (JSON.parse(row.exchange).response?.body ?? null) : null
}

export const ATTEMPT_RULES: readonly Rule[] = [
  attemptsAreLimited,
  permanentRejectionIsFinal,
  retryAfterIsHonoured,
  nothingAfterTheCutOff,
  responseIsOfItsAttempt,
]
