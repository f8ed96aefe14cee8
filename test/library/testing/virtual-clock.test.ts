import { describe, expect, it, vi } from 'vitest'
import { createVirtualClock } from '../../../src/library/testing/virtual-clock.ts'

const YEAR = 365 * 86_400_000

describe('a virtual clock', () => {
  it('runs timers in order of time, and timers of one instant in the order they were set', async () => {
    const clock = createVirtualClock(1_000)
    const seen: [string, number][] = []
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b', 20],
      ['b2', 20],
      ['past', -5],
    ] as const) {
      clock.after(ms, () => seen.push([name, clock.now()]))
    }
    await clock.runUntil(1_020)
    expect(seen).toEqual([
      ['past', 1_000],
      ['a', 1_010],
      ['b', 1_020],
      ['b2', 1_020],
    ])
    expect(clock.now()).toBe(1_020)
  })

  it('waits for the promises of a timer before it runs the next', async () => {
    const clock = createVirtualClock(0)
    const seen: string[] = []
    clock.after(1, async () => {
      for (let step = 0; step < 50; step++) await null
      seen.push(`first, at ${clock.now()}`)
    })
    clock.after(2, () => seen.push('second'))
    await clock.runUntil(5)
    expect(seen).toEqual(['first, at 1', 'second'])
  })

  it('waits for work outside this process before it runs the next timer', async () => {
    let pending: Promise<unknown> = Promise.resolve()
    const clock = createVirtualClock(0, async () => void (await pending))
    const seen: string[] = []
    clock.after(1, () => {
      pending = new Promise((resolve) => setTimeout(resolve, 20)).then(() => seen.push(`at ${clock.now()}`))
    })
    clock.after(2, () => seen.push('second'))
    await clock.runUntil(5)
    expect(seen).toEqual(['at 1', 'second'])
  })

  it('moves while a test has replaced the timers of the machine', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] })
    try {
      const clock = createVirtualClock(0)
      let fired = 0
      clock.after(10, () => fired++)
      await clock.runUntil(100)
      expect(fired).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('runs timers that another timer sets within the advanced time', async () => {
    const clock = createVirtualClock(0)
    let beats = 0
    const beat = () => {
      beats += 1
      clock.after(10, beat)
    }
    beat()
    await clock.runUntil(100)
    expect(beats).toBe(11)
  })

  it('does not run a cancelled timer', async () => {
    const clock = createVirtualClock(0)
    let fired = false
    clock
      .after(10, () => {
        fired = true
      })
      .cancel()
    await clock.runUntil(100)
    expect(fired).toBe(false)
  })

  it('skips a year without timers at once', async () => {
    const clock = createVirtualClock(0)
    await clock.runUntil(YEAR)
    expect(clock.now()).toBe(YEAR)
  })
})
