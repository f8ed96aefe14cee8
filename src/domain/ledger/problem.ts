// What is wrong with the plan of an occasion, or with an event that is due. Each of these can miss a person.

/** What the coverage check finds in the plan of an occasion. A repair corrects these. */
const PLAN_REASONS = ['UNPLANNED', 'MISPLANNED', 'TWO_PLANNED'] as const
/** UNACCOUNTED: a row without an outcome. UNCHECKED: no check was completed for hours. These two have no line. */
export const MISSED_REASONS = [...PLAN_REASONS, 'STUCK', 'UNACCOUNTED', 'UNCHECKED'] as const
export type PlanReason = (typeof PLAN_REASONS)[number]
export type MissedReason = (typeof MISSED_REASONS)[number]

export const REASON_TEXT: Readonly<Record<MissedReason, string>> = {
  UNPLANNED: 'The next occurrence of the occasion has no event.',
  MISPLANNED: 'The planned event is not where the occasion puts it.',
  TWO_PLANNED: 'The occasion has more than one planned event.',
  STUCK: 'It has been due for more than ten minutes, and waits for no retry, lease or channel.',
  UNACCOUNTED: 'Its row is neither open nor has an outcome.',
  UNCHECKED: 'No check of all plans was completed for six hours.',
}

/** What a check found: where the event is, and where the occasion puts it; null where there is none. */
export type PlanFault = {
  reason: PlanReason
  occasionId: string
  eventId: string | null
  dueAt: number | null
  expectedAt: number | null
}
