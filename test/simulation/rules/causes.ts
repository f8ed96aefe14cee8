// Why an event ends without having been brought: the reason must be true.
import { channelNumber } from '../actors/channels.ts'
import { cutOffOf } from '../oracle/expected-schedule.ts'
import { limitOf } from '../oracle/lateness.ts'
import { changesOf, type EventRow, type Ledger } from '../record/ledger.ts'
import { createRecent, type Recent } from '../record/recent-versions.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import { RETRY_POLICY } from '../support/settings.ts'
import { channelOf } from './channels.ts'
import { firstWrong, type Rule } from './rule.ts'

type Judged = {
  event: EventRow
  who: string
  at: number
  scenario: Scenario
  ledger: Ledger
  recent: Recent
  /** What workers heard of it, word for word. */
  answers: ReadonlySet<string>
  /** Who has known which channel to be off. */
  knewOff: ReadonlySet<string>
  /** The claims whose messages came too often. */
  deadLetters: ReadonlySet<string>
}

/** By how a reason begins; any other must be what the far side said. */
const TRUE_IF: Readonly<Record<string, (judged: Judged) => boolean>> = {
  RETRIES_EXHAUSTED: ({ event }) => event.retry_count === RETRY_POLICY.delaysMs.length,
  MISSED_WINDOW: isMissed,
  CUT_OFF: isCutOff,
  CHANNEL_DISABLED: (judged) => knownChannels(judged).some((id) => judged.knewOff.has(`${judged.who} ${id}`)),
  NO_ADDRESS: (judged) =>
    knownChannels(judged).some((id) => kindOf(judged, id) === 'smtp') &&
    tellings(judged).some(({ email }) => email === null),
  BAD_TEMPLATE: (judged) => tellings(judged).some(({ words }) => words === null),
  QUEUE_EXHAUSTED: ({ event, deadLetters }) => deadLetters.has(`${event.id} ${event.version - 1}`),
  TASK_COMPLETED: ({ event, ledger }) => ledger.tasks.get(event.occasion_id)?.completed_at != null,
  NOT_A_MAIL: ({ event, ledger }) => !ledger.payloads.get(event.id)?.includes('"to":'),
}

const failedForCause: Rule = {
  name: 'failed for cause',
  words:
    'FAILED has a reason that is true: refused for good, all retries used up, too late, no address, no text, a channel that is off, or a message that ended whoever got it.',
  watch(scenario) {
    const answers = new Set<string>()
    const knewOff = new Set<string>()
    const deadLetters = new Set<string>()
    const recent = createRecent()
    return (entry, ledger) => {
      recent.take(entry)
      if (entry.kind === 'posted' && entry.fate === 'dead letter')
        deadLetters.add(`${entry.ref.eventId} ${entry.ref.version}`)
      if (entry.kind === 'answer') answers.add(`${entry.eventId} ${entry.error}`)
      for (const id of heardOff(entry, ledger)) knewOff.add(id)
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after: event }) => {
        if (event?.status !== 'FAILED' || before?.status === 'FAILED') return null
        const { who, at } = entry
        const isTrue = TRUE_IF[event.failure_code ?? '']
        const judged = { event, who, at, scenario, ledger, recent, answers, knewOff, deadLetters }
        if (isTrue === undefined ? answers.has(`${event.id} ${event.last_error}`) : isTrue(judged))
          return null
        return `${event.id} is FAILED with ${event.failure_code} and "${event.last_error}".`
      })
    }
  },
}

/** The channels that a process learns here are off. */
function heardOff(entry: Entry, { knowledge }: Ledger): string[] {
  if (entry.kind === 'read')
    return entry.channels.flatMap(({ id, status }) => (status === 'DISABLED' ? [`${entry.who} ${id}`] : []))
  if (entry.kind !== 'answer' || knowledge.statusOf(entry.who, entry.channel) !== 'DISABLED') return []
  return [`${entry.who} ${entry.channel}`]
}

function isMissed({ event, scenario, ledger }: Judged): boolean {
  const limit = limitOf(scenario, ledger.occasionOf(event.occasion_id)!.type, 'missedAfterMs')
  return event.replay_of === null && limit !== null && event.executed_at! - event.target_at > limit
}

/** Its hour was over, or would have been at the next try. */
function isCutOff({ event, who, ledger }: Judged): boolean {
  const cutOff = cutOffOf(
    event,
    ledger.occasionTaken(who, event.id)?.not_after ?? null,
    ledger.releaseOf(who),
  )
  if (cutOff === null || event.replay_of !== null) return false
  const tried = !event.last_error!.startsWith('CUT_OFF')
  return tried || event.executed_at! > cutOff
}

/** Where the worker may have meant to send it: its own channel, or any that it may take for the default. */
function knownChannels({ event, who, ledger, scenario }: Judged): string[] {
  const named = ledger.occasionTaken(who, event.id)?.channel_id
  if (named != null) return [named]
  const changes = scenario.chores.some(({ kind }) => kind === 'name default')
  return changes ? [...ledger.channels.keys()] : [channelOf(ledger, who, event.id)!]
}

function kindOf({ scenario }: Judged, id: string): string {
  return scenario.channels[channelNumber(id)]!.kind
}

function tellings({ event, who, ledger, recent, at }: Judged) {
  return recent.tellings(ledger.occasionTaken(who, event.id)!, at, null)
}

export const CAUSE_RULES: readonly Rule[] = [failedForCause]
