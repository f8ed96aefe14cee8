// The clock of a test. It moves from one due instant to the next, and the engine works only while it moves.
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  type Duration,
  type Instant,
  instantFrom,
  instantOfLocal,
  millisecondsOf,
  rejectBackwards,
} from './instant.ts'
import { createVirtualClock } from './virtual-clock.ts'

export type TestClock = {
  /** Epoch milliseconds. In a handler: the instant at which its event is due, or retried. */
  now(): number
  /** Moves to a local time such as `2027-02-28T09:00` in a timezone. Resolves when everything due until then is delivered. */
  advanceTo(local: string, timezone: string): Promise<void>
  /** Moves to an instant. Resolves when everything due until then is delivered. */
  advanceTo(instant: Instant): Promise<void>
  /** Moves by a duration. Resolves when everything due until then is delivered; 0 delivers everything that is due now. */
  advanceBy(duration: number | Duration): Promise<void>
}

export type ClockParts = {
  start: number
  table: TimezoneTable
  /** Resolves when the work of an instant is done. Its rejection ends the move. */
  rest: () => Promise<void>
  /** Called before each move. */
  onMove: () => Promise<void>
}

export function createTestClock({ start, table, rest, onMove }: ClockParts): {
  clock: Clock
  test: TestClock
  isMoving(): boolean
} {
  const clock = createVirtualClock(start, rest)
  let moving = false

  async function move(to: number): Promise<void> {
    rejectBackwards(clock.now(), to)
    if (moving) throw new Error('The clock is moving. Wait until it has arrived; a handler cannot move it.')
    moving = true
    try {
      await onMove()
      await clock.runUntil(to)
    } finally {
      moving = false
    }
  }

  return {
    clock,
    isMoving: () => moving,
    test: {
      now: clock.now,
      advanceTo: async (when: Instant, timezone?: string) =>
        move(
          timezone === undefined
            ? instantFrom(when)
            : instantOfLocal(String(when), timezone, clock.now(), table),
        ),
      advanceBy: async (duration) => move(clock.now() + millisecondsOf(duration)),
    },
  }
}
