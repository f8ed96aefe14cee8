// Previews when an occasion would fall, with a note on each unusual time. Stores nothing.
import type { FieldProblem } from '../../domain/errors.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { type NextReason, whyNoNext } from '../../domain/occasions/next-reason.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import { type OccasionInput, parseOccasion } from '../../domain/occasions/occasion-fields.ts'
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import { upcoming } from '../../domain/occasions/recurring.ts'
import { ruleInWords } from '../../domain/occasions/rule-in-words.ts'
import { type Slot, type SlotNote, sendRuleOf, type Where } from '../../domain/occasions/schedule.ts'
import { sendNotes } from '../../domain/occasions/send-day.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { parseTimezone } from '../../domain/time/timezone.ts'
import { unknownTimezone } from '../../domain/time/zone-suggestions.ts'
import type { DateOfBirth } from '../../domain/users/date-of-birth.ts'
import type { AppDeps } from '../app-deps.ts'

/** The timezone comes from a stored user, or is given directly. */
type PreviewRequest = OccasionInput & {
  userId?: string
  timezone?: string
  /** Now by default. */
  from?: number
  count: number
}

type PreviewResult =
  | {
      kind: 'previewed'
      rule: string
      occurrences: (Slot & { reason?: string })[]
      /** Null if there is an occurrence. */
      nextReason: NextReason | null
    }
  | { kind: 'invalid'; problems: FieldProblem[] }
  /** There is no such user. */
  | { kind: 'missing' }

/** 400 years. A search for a hundred rare days, such as a 29 February on a Monday, takes much CPU time beyond them. */
const HORIZON_MS = 146_097 * DAY_MS

export async function previewOccasion(deps: AppDeps, request: PreviewRequest): Promise<PreviewResult> {
  const { userId, timezone, from = deps.clock.now(), count, ...input } = request
  const where = await whereIs(deps, request)
  if (where === null) return { kind: 'missing' }
  const fields = parseOccasion(input, {
    ...deps,
    ...('dateOfBirth' in where && { dateOfBirth: where.dateOfBirth }),
    keepsRule: true,
  })
  const problems: FieldProblem[] = fields.ok ? [] : [...fields.problems]
  if ('code' in where) problems.push(where)
  if (!fields.ok || 'code' in where || problems.length > 0) return { kind: 'invalid', problems }
  const occasion: Occasion = {
    ...fields.value,
    id: '',
    userId: '',
    ruleRevision: 1,
    pausedAt: null,
    bulkPausedAt: null,
    version: 1,
  }
  const schedule = { occasion, user: where, task: null }
  const { series } = occasionType(occasion.type)
  const occurrences: (Slot & { reason?: string })[] = []
  for (const slot of upcoming(series, schedule, { now: from, after: null }, deps.planner.table)) {
    if (slot.instant > from + HORIZON_MS) break
    const reason = slotNotes(slot, occasion).map(({ text }) => text)
    occurrences.push(reason.length === 0 ? slot : { ...slot, reason: reason.join(' ') })
    if (occurrences.length === count) break
  }
  const nextReason = occurrences.length > 0 ? null : whyNoNext(occasion, where, {})
  return { kind: 'previewed', rule: ruleInWords(schedule), occurrences, nextReason }
}

/** Null if there is no such user. */
async function whereIs(
  { store, planner, clock }: AppDeps,
  { userId, timezone, date }: PreviewRequest,
): Promise<Where | FieldProblem | null> {
  if ((userId === undefined) === (timezone === undefined)) {
    const message = 'Give "userId" or "timezone", one of them.'
    return { field: 'timezone', code: 'CONFLICTING_FIELDS', message }
  }
  if (timezone === undefined) {
    const id = parseUuid(userId!)
    return id === null ? null : store.findUser(id)
  }
  const known = parseTimezone(timezone, planner.table)
  if (known === null) {
    return unknownTimezone('timezone', timezone, { now: clock.now(), table: planner.table })
  }
  return { timezone: known, dateOfBirth: (date ?? '1970-01-01') as DateOfBirth }
}

/** Explains why the time of an occurrence is unusual: a code, and a sentence. */
export function slotNotes(
  { date, note }: Pick<Slot, 'date' | 'note'>,
  occasion: Occasion,
): { code: SlotNote; text: string }[] {
  const notes: { code: SlotNote; text: string }[] = sendNotes(date, sendRuleOf(occasion))
  const isNamed = note === undefined || notes.some(({ code }) => code === note)
  return isNamed ? notes : [...notes, { code: note, text: NOTES[note as ClockNote] }]
}

type ClockNote = Exclude<SlotNote, 'SHIFTED' | 'MOVED_FROM_WEEKEND'>

const NOTES: Readonly<Record<ClockNote, string>> = {
  LEAP_DAY_MOVED: '29 February does not exist in that year.',
  CLOCK_GAP: 'That time does not exist there on that day: the clocks go forward over it. Moved by as much.',
  CLOCK_OVERLAP: 'That time comes twice there on that day: the clocks go back. The earlier counts.',
  DATE_SKIPPED: 'The place skipped that whole date. Moved to the same time on the next.',
  CALENDAR_MOVED:
    'The month or the day does not exist in that year of its calendar. Moved by the rule of the calendar.',
}
