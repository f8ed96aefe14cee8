// Explains an occasion: its rule, and its next message or why there is none.
import { whyNoNext } from '../../domain/occasions/next-reason.ts'
import { ruleInWords } from '../../domain/occasions/rule-in-words.ts'
import type { Slot } from '../../domain/occasions/schedule.ts'
import { formatInstant, formatLocal } from '../../domain/time/timestamp.ts'
import type { OccasionPlan, Person } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { nextDue } from './next-due.ts'
import { readPlan } from './occasions.ts'

export type OccasionExplanation = {
  summary: string
  rule: string
  person: Person
  plan: OccasionPlan
}

/** Null if there is no such occasion. */
export async function explainOccasion(
  deps: Pick<AppDeps, 'store' | 'planner' | 'clock'>,
  occasionId: string,
): Promise<OccasionExplanation | null> {
  const found = await readPlan(deps, occasionId)
  if (found === null) return null
  const { person, plan } = found
  const { occasion, task } = plan
  const rule = ruleInWords({ occasion, task, user: person.user })
  const summary = `This ${occasion.type} occasion is due ${rule}, in ${person.user.timezone}. ${nextText(deps, found)}`
  return { summary, rule, person, plan }
}

function nextText(
  deps: Pick<AppDeps, 'planner' | 'clock'>,
  { person, plan }: { person: Person; plan: OccasionPlan },
): string {
  const { occasion, open } = plan
  if (open?.status === 'PROCESSING') return `Its message ${open.occurrence} is not settled yet.`
  if (open !== null) return `Its next message, ${open.occurrence}, is due at ${placeText(open)}.`
  const owed = nextDue(deps, plan, person.user)
  switch (whyNoNext(occasion, person.user, { isOwed: owed !== null, isSettled: plan.lastSettled !== null })) {
    case 'PAUSED':
      return `It has been paused since ${formatInstant(occasion.pausedAt!)}.`
    case 'NO_DATE':
      return 'It needs the date of birth, or its year.'
    case 'SENT':
      return 'The message of its only date was sent, or failed.'
    case 'SKIPPED':
      return 'Its only date is on a weekend, on which it is not sent.'
    case 'PAST':
      return 'Its only date, or the day on which it is sent, has passed.'
    case 'NOT_PLANNED':
      return `Its next occurrence, ${owed!.occurrence}, is owed at ${slotText(owed!)}, and it has no event. terce ledger --repair plans it.`
    default:
      return 'It has ended: no later occurrence is owed.'
  }
}

/** `2027-03-12T13:00:00.000Z (09:00 local)` */
function placeText({ targetAt, offsetSeconds }: { targetAt: number; offsetSeconds: number }): string {
  return `${formatInstant(targetAt)} (${formatLocal(targetAt, offsetSeconds).slice(11, 16)} local)`
}

function slotText({ instant, offsetSeconds }: Slot): string {
  return placeText({ targetAt: instant, offsetSeconds })
}
