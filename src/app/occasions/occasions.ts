// Creates, changes, pauses and removes occasions together with their events. Each change is one atomic store operation.
import type { FieldProblem } from '../../domain/errors.ts'
import type { MoveCause } from '../../domain/events/move.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import {
  type OccasionInput,
  parseOccasion,
  parseOccasionChange,
} from '../../domain/occasions/occasion-fields.ts'
import { MOST_OCCASIONS, occasionType } from '../../domain/occasions/occasion-types.ts'
import type { User } from '../../domain/users/user.ts'
import { planOpen, planToday } from '../../engine/plan.ts'
import type { OccasionPlan, OccasionSave, OpenChange, Person } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { findKeyed } from '../keyed-records.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import type { Move } from '../users/change.ts'
import { planChange, type Seen } from './plan-change.ts'

export type OccasionSaved = {
  kind: 'saved'
  occasion: Occasion
  user: User
  /** The change of its open event. */
  open: OpenChange
  /** The event that the change moved or deleted. */
  moves: Move[]
  /** Whether it had a message. */
  isSettled: boolean
}

export type OccasionResult =
  | OccasionSaved
  | { kind: 'invalid'; problems: FieldProblem[] }
  | { kind: 'missing' }
  /** The caller's copy is older than the stored one. */
  | { kind: 'outdated' }
  /** It belongs to a user or task, and cannot be changed by itself. */
  | { kind: 'owned'; by: 'user' | 'task' }
  /** The person has as many occasions as there may be. */
  | { kind: 'full' }

/** The keyed id is that of a record that exists or was deleted. */
export type Keyed = { kind: 'keyed' }

type How = { dryRun: boolean }

/** `id`: the keyed id of the occasion. */
type HowNew = How & { sendTodayNow: boolean; id?: string | undefined }

export async function createOccasion(
  deps: AppDeps,
  userId: string,
  input: OccasionInput,
  how: HowNew,
): Promise<OccasionResult | Keyed> {
  return retryOnConflict(`User ${userId}`, async () => {
    if (how.id !== undefined && (await findKeyed(deps, how.id)) !== null) return { kind: 'keyed' }
    const person = await deps.store.readPerson(userId)
    if (person === null) return { kind: 'missing' }
    if (withoutReminders(person).length >= MOST_OCCASIONS) return { kind: 'full' }
    const now = deps.clock.now()
    const parsed = parseOccasion(input, defaultsFor(deps, person))
    if (!parsed.ok) return { kind: 'invalid', problems: parsed.problems }
    const occasion = {
      ...parsed.value,
      id: how.id ?? deps.planner.ids(now),
      userId,
      ruleRevision: 1,
      pausedAt: null,
      bulkPausedAt: null,
      version: 1,
    }
    const plan = { occasion, task: null, open: null, lastSettled: null }
    const planned = planOpen(deps.planner, { before: null, after: plan }, person.user, now)
    const schedule = { occasion, user: person.user, task: null }
    const today = how.sendTodayNow ? planToday(deps.planner, schedule, now) : null
    const unknown = await unknownChannel(deps, occasion)
    if (unknown !== null) return { kind: 'invalid', problems: [unknown] }
    const open: OpenChange = today === null ? planned : { kind: 'insert', event: today }
    const saved: OccasionSaved = {
      kind: 'saved',
      occasion,
      user: person.user,
      open,
      moves: [],
      isSettled: false,
    }
    if (how.dryRun) return saved
    const save = { occasion, task: null, userVersion: person.user.version, open, at: now }
    return (await writeOccasion(deps, save)) === 'saved' ? saved : null
  })
}

function defaultsFor({ deliverAt, notAfter, clock }: AppDeps, { user }: Person) {
  return { clock, deliverAt, notAfter: notAfter ?? null, dateOfBirth: user.dateOfBirth }
}

type Change = (person: Person, plan: OccasionPlan, now: number) => Occasion | FieldProblem[]

export function changeOccasion(
  deps: AppDeps,
  occasionId: string,
  input: Partial<OccasionInput>,
  how: How & { ifVersion: readonly number[] | null },
): Promise<OccasionResult> {
  return updateOccasion(deps, occasionId, how, (person, { occasion }) => {
    const parsed = parseOccasionChange(occasion, input, defaultsFor(deps, person))
    return parsed.ok ? { ...occasion, ...parsed.value } : parsed.problems
  })
}

/** Deletes the pending event of the occasion and plans none until it is resumed. A message on the wire still arrives. */
export function pauseOccasion(deps: AppDeps, occasionId: string): Promise<OccasionResult> {
  return updateOccasion(deps, occasionId, { cause: 'OCCASION_PAUSED' }, PAUSE)
}

/** Continues with the next occurrence. Occurrences missed while it was paused are not sent. */
export function resumeOccasion(deps: AppDeps, occasionId: string): Promise<OccasionResult> {
  return updateOccasion(deps, occasionId, { cause: 'OCCASION_RESUMED' }, RESUME)
}

// Without `bulkPausedAt`, resuming everyone leaves the occasion paused.
const PAUSE: Change = (_, { occasion }, now) => ({
  ...occasion,
  pausedAt: occasion.pausedAt ?? now,
  bulkPausedAt: null,
})
const RESUME: Change = (_, { occasion }) => ({ ...occasion, pausedAt: null, bulkPausedAt: null })

async function updateOccasion(
  deps: AppDeps,
  occasionId: string,
  how: Partial<How> & { ifVersion?: readonly number[] | null; cause?: MoveCause },
  change: Change,
): Promise<OccasionResult> {
  return retryOnConflict(`Occasion ${occasionId}`, async () => {
    const found = await readPlan(deps, occasionId)
    if (found === null) return { kind: 'missing' }
    const { person, plan } = found
    const { ifVersion = null } = how
    if (ifVersion !== null && !ifVersion.includes(plan.occasion.version)) return { kind: 'outdated' }
    if (occasionType(plan.occasion.type).belongsTo === 'task') return { kind: 'owned', by: 'task' }
    const now = deps.clock.now()
    const changed = change(person, plan, now)
    if (Array.isArray(changed)) return { kind: 'invalid', problems: changed }
    const save = planChange(deps, found, changed, now)
    const unknown = await unknownChannel(deps, save.occasion)
    if (unknown !== null) return { kind: 'invalid', problems: [unknown] }
    const { dryRun = false, cause = 'OCCASION_CHANGED' } = how
    return writeChange(deps, found, { ...save, cause }, dryRun)
  })
}

/** A user with their occasions, without the reminders of tasks; null if there is no such user. */
export async function listOccasions({ store }: Pick<AppDeps, 'store'>, userId: string) {
  const person = await store.readPerson(userId)
  return person && { ...person, plans: withoutReminders(person) }
}

function withoutReminders({ plans }: Person) {
  return plans.filter(({ occasion }) => occasionType(occasion.type).belongsTo !== 'task')
}

export async function readPlan(deps: Pick<AppDeps, 'store'>, occasionId: string): Promise<Seen | null> {
  const occasion = await deps.store.findOccasion(occasionId)
  const person = occasion && (await deps.store.readPerson(occasion.userId))
  const plan = person?.plans.find((one) => one.occasion.id === occasionId)
  return person && plan ? { person, plan } : null
}

async function unknownChannel(deps: AppDeps, { channelId }: Occasion): Promise<FieldProblem | null> {
  if (channelId === null || (await deps.store.listChannels()).some(({ id }) => id === channelId)) return null
  const message = `No channel has the id "${channelId.slice(0, 60)}". GET /channel lists the channels.`
  return { field: 'channel', code: 'UNKNOWN_CHANNEL', message }
}

async function writeChange(
  deps: AppDeps,
  { person, plan }: Seen,
  save: OccasionSave,
  dryRun: boolean,
): Promise<OccasionSaved | null> {
  const { occasion, open } = save
  const moves: Move[] =
    open.kind === 'reschedule' && plan.open !== null
      ? [{ eventId: open.eventId, eventType: occasion.type, from: plan.open, to: open.to }]
      : []
  const isSettled = plan.lastSettled !== null
  const saved: OccasionSaved = { kind: 'saved', occasion, user: person.user, open, moves, isSettled }
  if (dryRun) return saved
  return (await writeOccasion(deps, save)) === 'saved' ? saved : null
}

export async function writeOccasion(
  deps: Pick<AppDeps, 'store' | 'onPlanned'>,
  save: OccasionSave,
): Promise<'saved' | 'conflict'> {
  const result = await deps.store.saveOccasion(save)
  if (result === 'saved') announceOpen(deps, save.open)
  return result
}

export function announceOpen(deps: Pick<AppDeps, 'onPlanned'>, open: OpenChange): void {
  const event = open.kind === 'insert' ? open.event : open.kind === 'reschedule' ? open.to : null
  if (event !== null) deps.onPlanned(event.targetAt)
}

export type Removed = 'removed' | 'missing' | { kind: 'owned'; by: 'user' | 'task' }

export async function removeOccasion(deps: AppDeps, occasionId: string): Promise<Removed> {
  const occasion = await deps.store.findOccasion(occasionId)
  if (occasion === null) return 'missing'
  const owner = occasionType(occasion.type).belongsTo
  if (owner !== null && isOwn(occasion)) return { kind: 'owned', by: owner }
  return (await deps.store.removeOccasion(occasionId, deps.clock.now())) ? 'removed' : 'missing'
}

/** True if it was created with its user or task. A second BIRTHDAY with a date of its own can be removed. */
function isOwn({ type, date }: Occasion): boolean {
  return type !== 'BIRTHDAY' || date === null
}
