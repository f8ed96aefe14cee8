// The timers of the machine, at their limits.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { DAY } from '../../support/fixtures.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('a timer of the system clock', () => {
  it.each([30 * DAY, Number.POSITIVE_INFINITY])('does not fire at once when it is set for %d ms', (ms) => {
    const warned = vi.spyOn(process, 'emitWarning')
    let fired = 0
    const timer = systemClock.after(ms, () => fired++)
    vi.advanceTimersByTime(DAY)
    expect(fired).toBe(0)
    timer.cancel()
    expect(warned).not.toHaveBeenCalled()
  })
})
