// Faults of messages. Each is used up by the messages it affects.
import type { MessageEffect, Scenario } from '../scenario.ts'

export type MessageFaults = { next(now: number): MessageEffect | null }

export function createMessageFaults({
  faults,
  faultsEndAt,
}: Pick<Scenario, 'faults' | 'faultsEndAt'>): MessageFaults {
  const waiting = faults.flatMap((fault) => (fault.kind === 'message' ? [{ fault, left: fault.times }] : []))
  return {
    next(now) {
      if (now >= faultsEndAt) return null
      const met = waiting.find(({ fault, left }) => left > 0 && fault.at <= now)
      if (met === undefined) return null
      met.left -= 1
      return met.fault.effect
    },
  }
}
