// What the scenario has in store for messages that are handed over. Each fault is used up by the messages it meets.
import type { Fate, Scenario } from '../scenario.ts'

export type Fates = { next(now: number): Fate | null }

export function chooseFates({ faults, calmAt }: Pick<Scenario, 'faults' | 'calmAt'>): Fates {
  const waiting = faults.flatMap((fault) => (fault.kind === 'message' ? [{ fault, left: fault.times }] : []))
  return {
    next(now) {
      if (now >= calmAt) return null
      const met = waiting.find(({ fault, left }) => left > 0 && fault.at <= now)
      if (met === undefined) return null
      met.left -= 1
      return met.fault.fate
    },
  }
}
