// When the WAL is emptied after erasures. The clock is moved by hand.
import { describe, expect, it } from 'vitest'
import { createCheckpoints } from '../../../src/stores/sqlite/checkpoints.ts'

/** Runs every attempt at once; each succeeds unless `held` is set. */
function createBench() {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const attempts: number[] = []
  const state = { held: false }
  const clock = {
    now: () => now,
    elapsedMs: () => now,
    after: (ms: number, callback: () => void) => {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      const cancel = () => {
        timers = timers.filter((other) => other !== timer)
      }
      return { cancel }
    },
  }
  const checkpoints = createCheckpoints(clock, async () => {
    attempts.push(now)
    return !state.held
  })
  async function passTo(at: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const next = timers.filter((timer) => timer.at <= at).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      timers = timers.filter((timer) => timer !== next)
      now = next.at
      next.callback()
    }
    now = at
  }
  return { checkpoints, attempts, state, passTo }
}

describe('the checkpoint after an erasure', () => {
  it('runs at once, and at most once a second for many erasures', async () => {
    const { checkpoints, attempts, passTo } = createBench()
    for (let ms = 0; ms < 2_500; ms += 10) {
      await passTo(ms)
      checkpoints.request()
    }
    await passTo(60_000)
    expect(attempts).toEqual([0, 1_000, 2_000, 3_000])
  })

  it('is retried with growing pauses while a reader holds the WAL', async () => {
    const { checkpoints, attempts, state, passTo } = createBench()
    state.held = true
    checkpoints.request()
    await passTo(90_000)
    state.held = false
    await passTo(200_000)
    expect(attempts).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000])
  })

  it('is retried at close, but not for ever', async () => {
    const { checkpoints, attempts, state, passTo } = createBench()
    state.held = true
    checkpoints.request()
    const closed = checkpoints.close()
    await passTo(5_000)
    await closed
    expect(attempts.length).toBe(11)
  })
})
