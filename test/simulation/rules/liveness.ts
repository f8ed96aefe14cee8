// Liveness: due events are settled, stops complete, and no call fails by itself.
import { MINUTE } from '../../support/fixtures.ts'
import { firstWrong, type Rule } from './rule.ts'

/** An event that fell due this shortly before the end may still be in flight. */
const IN_FLIGHT_MS = 30 * MINUTE

const nothingLost: Rule = {
  name: 'nothing lost',
  description:
    'After the faults end, every due event is COMPLETED or FAILED with a reason, and no event is claimed.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'end') return null
    return firstWrong(ledger.events.values(), ({ id, status, wake_at, target_at, failure_code }) => {
      if (status === 'FAILED' && failure_code === null) return `${id} is FAILED without a reason.`
      return wake_at !== null && target_at < entry.at - IN_FLIGHT_MS
        ? `${id} was due ${(entry.at - target_at) / MINUTE} minutes ago and is ${status}.`
        : null
    })
  },
}

const stopCompletes: Rule = {
  name: 'stop completes',
  description: 'A worker that receives SIGTERM stops.',
  watch() {
    const stopping = new Map<string, number>()
    return (entry) => {
      if (entry.kind === 'lifecycle') {
        if (entry.what === 'receives SIGTERM') stopping.set(entry.who, entry.at)
        if (entry.what === 'has stopped' || entry.what === 'crashes') stopping.delete(entry.who)
      }
      if (entry.kind !== 'end') return null
      return firstWrong(stopping, ([who]) => `${who} received SIGTERM and never stopped.`)
    }
  },
}

const noUnexpectedError: Rule = {
  name: 'no unexpected error',
  description: 'No call fails except by a fault of the scenario.',
  watch: () => (entry) =>
    entry.kind === 'unexpected' ? `${entry.who}, ${entry.during}: ${entry.error}` : null,
}

export const LIVENESS_RULES: readonly Rule[] = [nothingLost, stopCompletes, noUnexpectedError]
