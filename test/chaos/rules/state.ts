// What holds for events and the attempts at them when all is calm.
import { bodyOf, groupBy } from '../support/evidence.ts'
import type { Rule } from './rule.ts'

const nothingStuck: Rule = {
  name: 'nothing stuck',
  words: 'When all is calm, nothing that was due is open, and nobody holds anything.',
  *look({ tables, calmAt }) {
    for (const { id, claimed_at, target_at, wake_at, lease_until } of tables.events) {
      if (Date.parse(target_at) > calmAt) continue
      const state = claimed_at === null ? 'PENDING' : 'PROCESSING'
      yield `${id} was due at ${target_at} and is ${state}, to wake at ${wake_at}, held until ${lease_until}.`
    }
  },
}

const leaseHolds: Rule = {
  name: 'the lease holds',
  words: 'Nobody takes an event from another before the lease has run out.',
  *look({ steps }) {
    for (const { event_id, claimed_at, lease_until, held_until, held_by } of steps) {
      if (lease_until === null || held_until === null) continue
      const earlyMs = Date.parse(held_until) - Date.parse(claimed_at!)
      if (earlyMs > 0) yield `${event_id} was taken from ${held_by} ${earlyMs} ms before its lease ran out.`
    }
  },
}

const unknownIsTold: Rule = {
  name: 'unknown is told',
  words: 'For each claim whose worker was not heard of again, and for no other, there is an UNKNOWN attempt.',
  *look({ steps, tables }) {
    const known = new Set([...tables.events, ...tables.settled_events].map(({ id }) => id))
    const lost = steps
      .filter(({ lease_until, held_until }) => lease_until !== null && held_until !== null)
      .filter(({ event_id }) => known.has(event_id))
      .map(
        ({ event_id, held_by, held_since }) => `${event_id}, taken by ${held_by} at ${instant(held_since!)}`,
      )
    const told = tables.attempts
      .filter(({ outcome }) => outcome === 'UNKNOWN')
      .map(
        ({ event_id, claimed_by, started_at }) =>
          `${event_id}, taken by ${claimed_by} at ${instant(started_at)}`,
      )
    for (const one of difference(lost, told)) yield `${one}: lost, and no attempt says so.`
    for (const one of difference(told, lost)) yield `${one}: UNKNOWN, and yet it was never taken over.`
    if (lost.length !== told.length)
      yield `${lost.length} claims were lost, ${told.length} attempts are UNKNOWN.`
  },
}

const addsUp: Rule = {
  name: 'attempts add up',
  words:
    'Attempts are numbered from 1 without a gap; those that count are the retries, and never more than allowed.',
  *look({ tables, retries }) {
    const attempts = groupBy(tables.attempts, ({ event_id }) => event_id)
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

const failedForCause: Rule = {
  name: 'failed for cause',
  words: 'FAILED has a reason that is true: refused for good, or all retries used up.',
  *look({ arrivals, tables, retries }) {
    const refusals = new Set(arrivals.map((arrival) => `${bodyOf(arrival).eventId} HTTP ${arrival.status}`))
    for (const { id, status, failure_code: code, retry_count } of tables.settled_events) {
      if (status === 'COMPLETED' && code === null) continue
      const isTrue = code === 'RETRIES_EXHAUSTED' ? retry_count === retries : refusals.has(`${id} ${code}`)
      if (status !== 'FAILED' || !isTrue) yield `${id} is ${status} with the code "${code}".`
    }
  },
}

const instant = (text: string) => new Date(text).toISOString()

function difference(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return some.filter((one) => !known.has(one))
}

export const STATE_RULES: readonly Rule[] = [nothingStuck, leaseHolds, unknownIsTold, addsUp, failedForCause]
