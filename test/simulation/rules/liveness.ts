// That things get done, and that nothing goes wrong by itself.
import { MINUTE } from '../../support/fixtures.ts'
import { firstWrong, type Rule } from './rule.ts'

/** What fell due this shortly before the end may still be under way. */
const STILL_UNDER_WAY_MS = 30 * MINUTE

const nothingLost: Rule = {
  name: 'nothing lost',
  words:
    'When all is calm, everything that was due is COMPLETED or FAILED with a reason, and nobody holds anything.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'rest') return null
    return firstWrong(ledger.events.values(), ({ id, status, wake_at, target_at, failure_code }) => {
      if (status === 'FAILED' && failure_code === null) return `${id} is FAILED without a reason.`
      return wake_at !== null && target_at < entry.at - STILL_UNDER_WAY_MS
        ? `${id} was due ${(entry.at - target_at) / MINUTE} minutes ago and is ${status}.`
        : null
    })
  },
}

const stopEnds: Rule = {
  name: 'stopping ends',
  words: 'A worker that is told to stop has stopped soon after.',
  watch() {
    const stopping = new Map<string, number>()
    return (entry) => {
      if (entry.kind === 'life') {
        if (entry.what === 'is told to stop') stopping.set(entry.who, entry.at)
        if (entry.what === 'has stopped' || entry.what === 'crashes') stopping.delete(entry.who)
      }
      if (entry.kind !== 'rest') return null
      return firstWrong(stopping, ([who]) => `${who} was told to stop and never did.`)
    }
  },
}

const noSurprise: Rule = {
  name: 'no surprise',
  words: 'Nothing fails but what was made to fail.',
  watch: () => (entry) =>
    entry.kind === 'surprise' ? `${entry.who}, ${entry.during}: ${entry.error}` : null,
}

export const LIVENESS_RULES: readonly Rule[] = [nothingLost, stopEnds, noSurprise]
