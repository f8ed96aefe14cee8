// The rule of a receiver that was down and responds again.
import { bodyOf } from '../support/evidence.ts'
import type { Rule } from './rule.ts'

/** Less than a worker leaves an event that it released for long (30 s) without the length of the outage (4 s). */
const MOVES_WITHIN_MS = 20_000

const backlogMoves: Rule = {
  name: 'backlog moves',
  description:
    'When a receiver is up again, the events that were released for it arrive within seconds, and no worker releases more.',
  *check({ outage, steps, arrivals, people }) {
    if (outage === null) return
    const { from, upAt } = outage
    const deadline = upAt + MOVES_WITHIN_MS
    const deleted = new Set(people.filter((person) => person.deleted !== null).map(({ id }) => id))
    const accepted = new Set(
      arrivals.filter((one) => one.accepted && one.at <= deadline).map((one) => bodyOf(one).eventId),
    )
    for (const { event_id, user_id, is_released, at } of steps) {
      const releasedAt = Date.parse(at)
      if (!is_released || releasedAt < from) continue
      if (releasedAt > deadline)
        yield `${event_id} was released ${releasedAt - upAt} ms after the receiver was up.`
      else if (!accepted.has(event_id) && !deleted.has(user_id))
        yield `${event_id} was released, and did not arrive within ${MOVES_WITHIN_MS} ms after the receiver was up.`
    }
  },
}

export const RECOVERY_RULES: readonly Rule[] = [backlogMoves]
