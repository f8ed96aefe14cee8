// The invariant that the stored reason of a failed event is true.
import { HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { MINUTE } from '../../support/fixtures.ts'
import { cutOffOf } from '../../support/oracle/schedule.ts'
import { channelNumber } from '../actors/channels.ts'
import { limitOf } from '../oracle/lateness.ts'
import { changesOf, type EventRow, type Ledger, type OccasionRow } from '../record/ledger.ts'
import { createRecent, type Recent } from '../record/recent-versions.ts'
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
  /** The errors that workers got for it. */
  answers: ReadonlySet<string>
  /** Claims whose messages became dead letters. */
  deadLetters: ReadonlySet<string>
  /** When an occasion was last resumed. */
  resumedAt: ReadonlyMap<string, number>
}

/** An occasion may be resumed between the decision that it is paused and the settlement. */
const SETTLED_WITHIN_MS = 10 * MINUTE

const RETRIES = RETRY_POLICY.delaysMs.length

/** By the code at the start of the reason. Any other reason must be an error of the receiver. */
const TRUE_IF: Readonly<Record<string, (judged: Judged) => boolean>> = {
  // A reminder is retried beyond the policy; the rule "attempts are limited" says until when.
  RETRIES_EXHAUSTED: ({ event, ledger }) =>
    event.retry_count === RETRIES || (event.retry_count > RETRIES && ledger.tasks.has(event.occasion_id)),
  MISSED_WINDOW: isMissed,
  CUT_OFF: isCutOff,
  NO_ADDRESS: (judged) =>
    knownChannels(judged).some((id) => kindOf(judged, id) === 'smtp') &&
    possibleMessages(judged).some(({ email }) => email === null),
  BAD_TEMPLATE: isUnrenderable,
  TEMPLATE_LIMIT: isUnrenderable,
  QUEUE_EXHAUSTED: ({ event, deadLetters }) => deadLetters.has(`${event.id} ${event.version - 1}`),
  OCCASION_PAUSED: ({ event, at, ledger, resumedAt }) =>
    ledger.occasionOf(event.occasion_id)?.paused_at != null ||
    at - (resumedAt.get(event.occasion_id) ?? 0) < SETTLED_WITHIN_MS,
  TASK_COMPLETED: ({ event, ledger }) => ledger.tasks.get(event.occasion_id)?.completed_at != null,
  NOT_A_MAIL: ({ event, ledger }) => !ledger.payloads.get(event.id)?.includes('"to":'),
}

const failureReasonIsTrue: Rule = {
  name: 'failure reason is true',
  description:
    'FAILED has a reason that is true: rejected permanently, retries exhausted, too late, no address, no text, or a poison message.',
  watch(scenario) {
    const answers = new Set<string>()
    const deadLetters = new Set<string>()
    const resumedAt = new Map<string, number>()
    const recent = createRecent()
    return (entry, ledger) => {
      recent.apply(entry)
      if (entry.kind === 'queued' && entry.effect === 'dead letter')
        deadLetters.add(`${entry.ref.eventId} ${entry.ref.version}`)
      if (entry.kind === 'result') answers.add(`${entry.eventId} ${entry.error}`)
      if (entry.kind !== 'commit') return null
      for (const { before, after } of changesOf<OccasionRow>(entry.rows, 'occasions'))
        if (before?.paused_at != null && after?.paused_at === null) resumedAt.set(after.id, entry.at)
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after: event }) => {
        if (event?.status !== 'FAILED' || before?.status === 'FAILED') return null
        const { who, at } = entry
        const isTrue = TRUE_IF[event.failure_code ?? '']
        const known = { answers, deadLetters, resumedAt }
        const judged = { event, who, at, scenario, ledger, recent, ...known }
        if (isTrue === undefined ? answers.has(`${event.id} ${event.last_error}`) : isTrue(judged))
          return null
        return `${event.id} is FAILED with ${event.failure_code} and "${event.last_error}".`
      })
    }
  },
}

/** There is no text, or a limit ends its rendering for this person. */
function isUnrenderable(judged: Judged): boolean {
  return possibleMessages(judged).some(({ text }) => text === null)
}

function isMissed({ event, scenario, ledger }: Judged): boolean {
  const limit = limitOf(scenario, ledger.occasionOf(event.occasion_id)!.type, 'missedAfterMs')
  return event.replay_of === null && limit !== null && event.executed_at! - event.target_at > limit
}

/** The cut-off had passed, or would have passed before the next retry. */
function isCutOff({ event, who, ledger }: Judged): boolean {
  const cutOff = cutOffOf(
    event,
    ledger.occasionAtClaim(who, event.id)?.not_after ?? null,
    ledger.releaseOf(who),
  )
  if (cutOff === null || event.replay_of !== null) return false
  const tried = !event.last_error!.startsWith('CUT_OFF')
  return tried || event.executed_at! > cutOff
}

/** The channels to which the worker may have meant to send it: the named one, or any that may have been the default. */
function knownChannels({ event, who, ledger, scenario }: Judged): string[] {
  const named = ledger.occasionAtClaim(who, event.id)?.channel_id
  if (named != null) return [named]
  const changes =
    scenario.handlers === undefined && scenario.chores.some(({ kind }) => kind === 'name default')
  return changes ? [...ledger.channels.keys()] : [channelOf(ledger, who, event.id)!]
}

function kindOf({ scenario }: Judged, id: string): string {
  return id === HANDLER_CHANNEL ? 'webhook' : scenario.channels[channelNumber(id)]!.kind
}

function possibleMessages({ event, who, ledger, recent, at }: Judged) {
  return recent.possibleMessages(ledger.occasionAtClaim(who, event.id)!, at, null)
}

export const CAUSE_RULES: readonly Rule[] = [failureReasonIsTrue]
