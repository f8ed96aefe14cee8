// Rules of events and attempts after the faults have ended.
import { bodyOf } from '../support/evidence.ts'
import type { Rule } from './rule.ts'

const nothingStuck: Rule = {
  name: 'nothing stuck',
  description: 'After the faults end, no due event is open and no event is claimed.',
  *check({ tables, settledAt }) {
    for (const { id, claimed_at, target_at, wake_at, lease_until } of tables.events) {
      if (Date.parse(target_at) > settledAt) continue
      const state = claimed_at === null ? 'PENDING' : 'PROCESSING'
      yield `${id} was due at ${target_at} and is ${state}, to wake at ${wake_at}, claimed until ${lease_until}.`
    }
  },
}

const exclusiveLease: Rule = {
  name: 'exclusive lease',
  description: 'No worker claims an event of another before its lease expires.',
  *check({ steps }) {
    for (const { event_id, claimed_at, lease_until, held_until, held_by } of steps) {
      if (lease_until === null || held_until === null) continue
      const earlyMs = Date.parse(held_until) - Date.parse(claimed_at!)
      if (earlyMs > 0) yield `${event_id} was claimed from ${held_by} ${earlyMs} ms before its lease expired.`
    }
  },
}

const lostClaimsAreRecorded: Rule = {
  name: 'lost claims are recorded',
  description: 'Each claim that expired, and no other, has an UNKNOWN attempt.',
  *check({ steps, tables }) {
    const known = new Set([...tables.events, ...tables.settled_events].map(({ id }) => id))
    const lost = steps
      .filter(({ lease_until, held_until }) => lease_until !== null && held_until !== null)
      .filter(({ event_id }) => known.has(event_id))
      .map(
        ({ event_id, held_by, held_since }) =>
          `${event_id}, claimed by ${held_by} at ${instant(held_since!)}`,
      )
    const recorded = tables.attempts
      .filter(({ outcome }) => outcome === 'UNKNOWN')
      .map(
        ({ event_id, claimed_by, started_at }) =>
          `${event_id}, claimed by ${claimed_by} at ${instant(started_at)}`,
      )
    for (const one of difference(lost, recorded)) yield `${one}: expired, and has no UNKNOWN attempt.`
    for (const one of difference(recorded, lost)) yield `${one}: UNKNOWN, and its claim never expired.`
    if (lost.length !== recorded.length)
      yield `${lost.length} claims were lost, ${recorded.length} attempts are UNKNOWN.`
  },
}

const attemptsAddUp: Rule = {
  name: 'attempts add up',
  description:
    'Attempts are numbered from 1 without a gap; the counted ones are the retries, and never more than allowed.',
  *check({ tables, retries }) {
    const attempts = Map.groupBy(tables.attempts, ({ event_id }) => event_id)
    for (const { id, retry_count } of [...tables.events, ...tables.settled_events]) {
      const of = attempts.get(id) ?? []
      const numbers = of.map(({ number }) => number).sort((a, b) => a - b)
      if (numbers.some((number, i) => number !== i + 1)) yield `${id} has the attempts ${numbers.join(', ')}.`
      const counted = of.filter(({ outcome }) => outcome === 'RETRY').length
      if (counted !== retry_count)
        yield `${id} is at retry ${retry_count} with ${counted} attempts that count.`
      if (retry_count > retries) yield `${id} is at retry ${retry_count}.`
    }
  },
}

const failureReasonIsTrue: Rule = {
  name: 'failure reason is true',
  description: 'FAILED has a reason that is true: rejected permanently, or retries exhausted.',
  *check({ arrivals, tables, retries }) {
    const rejections = new Set(arrivals.map((arrival) => `${bodyOf(arrival).eventId} HTTP ${arrival.status}`))
    for (const { id, status, failure_code: code, retry_count } of tables.settled_events) {
      if (status === 'COMPLETED' && code === null) continue
      const isTrue = code === 'RETRIES_EXHAUSTED' ? retry_count === retries : rejections.has(`${id} ${code}`)
      if (status !== 'FAILED' || !isTrue) yield `${id} is ${status} with the code "${code}".`
    }
  },
}

const instant = (text: string) => new Date(text).toISOString()

function difference(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return some.filter((one) => !known.has(one))
}

export const STATE_RULES: readonly Rule[] = [
  nothingStuck,
  exclusiveLease,
  lostClaimsAreRecorded,
  attemptsAddUp,
  failureReasonIsTrue,
]
