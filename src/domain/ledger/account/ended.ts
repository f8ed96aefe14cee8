// Whether an occasion had ended before a change of its person.
import { DAY_MS } from '../../time/calendar.ts'
import { nextDay, occurrenceOn } from '../expected/days.ts'
import { dueOn } from './due.ts'
import { isServed } from './permitted.ts'
import type { Case, State } from './timeline.ts'

/** A birthday that had ended does not begin again by a correction of the date of birth. */
export function hasEnded(of: Case, states: readonly State[]): boolean {
  let ended = false
  for (const [i, state] of states.entries()) {
    if (state.cause !== 'person-changed') ended = false
    const earlier = states[i - 1]
    if (state.cause === 'person-changed' && earlier !== undefined && !ended)
      ended = earlier.occasion.until !== null && isLast(of, earlier, state.from)
  }
  return ended
}

/** Whether the state has no occurrence from an instant on, except those that have their message already. */
function isLast({ input, context }: Case, state: State, at: number): boolean {
  const from = Math.floor(at / DAY_MS) - 2
  const to = Math.floor(Date.parse(state.occasion.until!) / DAY_MS)
  for (let day = nextDay(state.rule, from, to); day !== null; day = nextDay(state.rule, day + 1, to)) {
    const due = dueOn(state, day, context)
    if (!due.isActive || due.at < at) continue
    const occurrence = occurrenceOn(state.rule, day)!
    const known = input.events.filter(({ createdAt }) => createdAt <= at)
    if (!isServed(known, state, { occurrence, at: due.at })) return false
  }
  return true
}
