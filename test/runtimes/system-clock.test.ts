// The elapsed time of a machine whose wall clock is set, and whose monotonic timer stands still while it is suspended.
import { expect, it } from 'vitest'
import { createElapsed } from '../../src/runtimes/shared/system-clock.ts'
import { HOUR, SECOND, T0 } from '../support/fixtures.ts'

function machine() {
  let [wall, monotonic] = [T0, 0]
  const elapsedMs = createElapsed(
    () => Math.floor(wall),
    () => monotonic,
  )
  const since = elapsedMs()
  return {
    elapsedMs: () => elapsedMs() - since,
    pass(ms: number) {
      wall += ms
      monotonic += ms
    },
    setWall(ms: number) {
      wall += ms
    },
  }
}

it('the elapsed time ignores a wall clock that is set back, however often', () => {
  const { elapsedMs, pass, setWall } = machine()
  for (let i = 1; i <= 3; i++) {
    setWall(-HOUR)
    expect(elapsedMs()).toBe((i - 1) * SECOND)
    pass(SECOND)
    expect(elapsedMs()).toBe(i * SECOND)
  }
})

it('the elapsed time counts the time of a suspended machine, also after its wall clock was set back', () => {
  const { elapsedMs, pass, setWall } = machine()
  setWall(-HOUR)
  pass(SECOND)
  elapsedMs()
  setWall(HOUR)
  expect(elapsedMs()).toBe(HOUR + SECOND)
  pass(SECOND)
  expect(elapsedMs()).toBe(HOUR + 2 * SECOND)
})

it('the elapsed time does not add up the rounding of the wall clock', () => {
  const { elapsedMs, pass } = machine()
  for (let i = 0; i < 10_000; i++) {
    pass(0.3)
    elapsedMs()
  }
  expect(elapsedMs()).toBeCloseTo(3 * SECOND, 3)
})
