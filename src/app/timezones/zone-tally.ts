// Counts the moved events of one timezone.
import type { PlannedEvent } from '../../domain/events/event.ts'

export type ZoneMoves = {
  zone: string
  /** The number of people in the timezone. */
  people: number
  /** Events with a new instant. */
  moved: number
  /** Events that keep their instant and get the new release. */
  unmoved: number
  /** The most frequent shift, positive for later, with its earliest event; null if no event moved. */
  shiftMs: number | null
  exampleFrom: number | null
  exampleTo: number | null
}

export type Tally = {
  zone: string
  people: number
  /** Events that could not be planned. */
  failed: number
  add(from: Pick<PlannedEvent, 'targetAt'>, to: Pick<PlannedEvent, 'targetAt'>): void
  result(): ZoneMoves
  /** False if neither the rules nor the events of anyone changed. */
  isListed(): boolean
}

export function createTally(zone: string, { hasChanged }: { hasChanged: boolean }): Tally {
  const shifts = new Map<number, { count: number; from: number; to: number }>()
  let [moved, unmoved] = [0, 0]
  return {
    zone,
    people: 0,
    failed: 0,
    add({ targetAt: from }, { targetAt: to }) {
      if (from === to) {
        unmoved += 1
        return
      }
      moved += 1
      const shift = shifts.get(to - from) ?? { count: 0, from, to }
      shift.count += 1
      if (from < shift.from) Object.assign(shift, { from, to })
      shifts.set(to - from, shift)
    },
    result() {
      const [most] = [...shifts.values()].sort((a, b) => b.count - a.count)
      const { from, to } = most ?? { from: null, to: null }
      const shiftMs = from === null || to === null ? null : to - from
      return { zone, people: this.people, moved, unmoved, shiftMs, exampleFrom: from, exampleTo: to }
    },
    isListed() {
      return moved + unmoved > 0 || (hasChanged && this.people > 0)
    },
  }
}
