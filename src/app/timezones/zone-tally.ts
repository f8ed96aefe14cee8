// Counts what became of the events of one zone.
import type { PlannedEvent } from '../../domain/events/event.ts'

export type ZoneMoves = {
  zone: string
  /** How many live there. */
  people: number
  /** Events that are due at another instant now. */
  moved: number
  /** Events that stay where they are and say now by which release. */
  restamped: number
  /** By how much most of them moved, later being positive, and one that did; null if none moved. */
  shiftMs: number | null
  exampleFrom: number | null
  exampleTo: number | null
}

export type Tally = {
  zone: string
  people: number
  /** Events that could not be planned. */
  troubled: number
  add(from: Pick<PlannedEvent, 'targetAt'>, to: Pick<PlannedEvent, 'targetAt'>): void
  result(): ZoneMoves
}

export function createTally(zone: string): Tally {
  const shifts = new Map<number, { count: number; from: number; to: number }>()
  let [moved, restamped] = [0, 0]
  return {
    zone,
    people: 0,
    troubled: 0,
    add({ targetAt: from }, { targetAt: to }) {
      if (from === to) {
        restamped += 1
        return
      }
      moved += 1
      const shift = shifts.get(to - from) ?? { count: 0, from, to }
      shift.count += 1
      shifts.set(to - from, shift)
    },
    result() {
      const [most] = [...shifts.values()].sort((a, b) => b.count - a.count)
      const { from, to } = most ?? { from: null, to: null }
      const shiftMs = from === null || to === null ? null : to - from
      return { zone, people: this.people, moved, restamped, shiftMs, exampleFrom: from, exampleTo: to }
    },
  }
}
