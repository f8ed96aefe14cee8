// Classifies failed events for a replay: ready to send, past their cut-off time, or already replayed. Only reads.
import type { Event } from '../../domain/events/event.ts'
import { originalOf } from '../../domain/events/idempotency-key.ts'
import { cutOffOf } from '../../domain/occasions/occasion.ts'
import type { Planner } from '../../engine/plan.ts'
import type { HistoryStore } from '../../ports/store.ts'

export type ReplayParts = {
  now: number
  /** Events past the local time after which they were not to be sent on their day. */
  pastCutOff: { notAfter: string; count: number }[]
  inFlight: number
  /** Already delivered by an earlier replay. */
  delivered: number
  /** Further failed events of an occurrence that was already counted. */
  repeated: number
}

type ReplaySurvey = {
  /** Returns the events that are ready to send. */
  look(failed: readonly Event[]): Promise<Event[]>
  parts(): ReplayParts
}

export function surveyReplays(deps: { store: HistoryStore; planner: Planner }, now: number): ReplaySurvey {
  const { store, planner } = deps
  const counts = { now: 0, inFlight: 0, delivered: 0, repeated: 0 }
  const past = new Map<string, number>()
  const seen = new Set<string>()

  async function look(failed: readonly Event[]): Promise<Event[]> {
    const outlooks = await store.replayOutlook(failed.map(({ id }) => id))
    const byId = new Map(outlooks.map((outlook) => [outlook.eventId, outlook]))
    return failed.filter((event) => {
      const outlook = byId.get(event.id)
      if (outlook === undefined) return false
      const occurrence = `${event.occasionId} ${originalOf(event.occurrence)}`
      if (seen.has(occurrence)) {
        counts.repeated += 1
        return false
      }
      seen.add(occurrence)
      if (outlook.state === 'free') return isInTime(event, outlook.notAfter)
      counts[outlook.state === 'delivered' ? 'delivered' : 'inFlight'] += 1
      return false
    })
  }

  function isInTime(event: Event, notAfter: string | null): boolean {
    const cutOff = cutOffOf(event, notAfter, planner.table)
    if (notAfter === null || cutOff === null || now <= cutOff) {
      counts.now += 1
      return true
    }
    past.set(notAfter, (past.get(notAfter) ?? 0) + 1)
    return false
  }

  const pastCutOff = () => [...past].map(([notAfter, count]) => ({ notAfter, count }))
  return { look, parts: () => ({ ...counts, pastCutOff: pastCutOff() }) }
}
