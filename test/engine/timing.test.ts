// The alarm: sleeps until an instant or for a limited time, wakes earlier when it is rung, and misses no ring.
import { describe, expect, it } from 'vitest'
import { backoffMs, createAlarm } from '../../src/engine/timing.ts'
import { createTestClock, DAY, HOUR } from '../support/fixtures.ts'

const MAX_SLEEP_MS = 10_000

function sleeping(start = 0) {
  const clock = createTestClock(start)
  const alarm = createAlarm(clock)
  const woke: number[] = []
  const sleepUntil = (at: number) => void alarm.sleep(MAX_SLEEP_MS, at).then(() => woke.push(clock.now()))
  return { clock, alarm, woke, sleepUntil }
}

describe('an alarm', () => {
  it('sleeps until its instant', async () => {
    const { clock, woke, sleepUntil } = sleeping()
    sleepUntil(1_000)
    await clock.advanceTo(999)
    expect(woke).toEqual([])
    await clock.advanceTo(5_000)
    expect(woke).toEqual([1_000])
  })

  it('does not sleep if its instant is now or in the past', async () => {
    const { clock, woke, sleepUntil } = sleeping(1_000)
    sleepUntil(1_000)
    await clock.advance(0)
    sleepUntil(-1)
    await clock.advance(0)
    expect(woke).toEqual([1_000, 1_000])
  })

  it('wakes earlier when it is rung for an earlier instant', async () => {
    const { clock, alarm, woke, sleepUntil } = sleeping()
    sleepUntil(1_000)
    alarm.ring(600)
    await clock.advanceTo(300)
    alarm.ring(400)
    await clock.advanceTo(2_000)
    expect(woke).toEqual([400])
  })

  it('wakes at once when it is rung for now or for the past', async () => {
    const { clock, alarm, woke, sleepUntil } = sleeping()
    sleepUntil(1_000)
    await clock.advanceTo(100)
    alarm.ring(100)
    await clock.advance(0)
    sleepUntil(1_000)
    alarm.ring(50)
    await clock.advance(0)
    expect(woke).toEqual([100, 100])
  })

  it('does not sleep longer when it is rung for a later instant', async () => {
    const { clock, alarm, woke, sleepUntil } = sleeping()
    sleepUntil(1_000)
    alarm.ring(5_000)
    await clock.advanceTo(9_000)
    expect(woke).toEqual([1_000])
  })

  it('wakes at the earliest instant that it was rung for before it began to sleep', async () => {
    const { clock, alarm, woke, sleepUntil } = sleeping()
    alarm.ring(0)
    sleepUntil(1_000)
    await clock.advance(0)
    expect(woke).toEqual([0])
    alarm.ring(300)
    alarm.ring(700)
    sleepUntil(1_000)
    await clock.advanceTo(2_000)
    expect(woke).toEqual([0, 300])
  })

  it('forgets a ring once it has woken for it', async () => {
    const { clock, alarm, woke, sleepUntil } = sleeping()
    alarm.ring(0)
    sleepUntil(1_000)
    await clock.advance(0)
    sleepUntil(1_000)
    await clock.advanceTo(2_000)
    expect(woke).toEqual([0, 1_000])
  })

  it('sleeps on if the timer for its instant fires early', async () => {
    const { clock, timers, woke } = manual()
    const slept = createAlarm(clock)
      .sleep(MAX_SLEEP_MS, 1_000)
      .then(() => woke.push(clock.now()))
    clock.set(990)
    timers.findLast(({ ms }) => ms === 1_000)!.callback()
    await Promise.resolve()
    expect(woke).toEqual([])
    clock.set(1_000)
    timers.at(-1)!.callback()
    await slept
    expect(woke).toEqual([1_000])
  })

  it.each([
    ['an hour', -HOUR],
    ['more days than a timer can count', -40 * DAY],
  ])('sleeps no longer than its limit when the clock is set back by %s', async (_, to) => {
    const { clock, timers, woke } = manual()
    const alarm = createAlarm(clock)
    const slept = alarm.sleep(MAX_SLEEP_MS, 5_000).then(() => woke.push(clock.now()))
    clock.set(to)
    alarm.ring(4_000)
    for (const { ms, cancelled, callback } of timers) if (ms <= MAX_SLEEP_MS && !cancelled()) callback()
    await slept
    expect(woke).toEqual([to])
  })

  it.each([
    ['set back', -40 * DAY],
    ['set forward', 40 * DAY],
  ])('starts no timer above its limit when the clock is %s', (_, to) => {
    const { clock, timers } = manual()
    const alarm = createAlarm(clock)
    void alarm.sleep(MAX_SLEEP_MS, 50 * DAY)
    clock.set(to)
    alarm.ring(49 * DAY)
    expect(Math.max(...timers.map(({ ms }) => ms))).toBeLessThanOrEqual(MAX_SLEEP_MS)
  })
})

/** A clock that can be set, and its timers, which fire when the test calls them. */
function manual() {
  let now = 0
  const timers: { ms: number; callback: () => void; cancelled: () => boolean }[] = []
  const woke: number[] = []
  const clock = {
    now: () => now,
    elapsedMs: () => now,
    set: (at: number) => {
      now = at
    },
    after(ms: number, callback: () => void) {
      let done = false
      timers.push({ ms, callback, cancelled: () => done })
      return {
        cancel: () => {
          done = true
        },
      }
    },
  }
  return { clock, timers, woke }
}

it('the wait after failed calls to the store doubles from one second to 30 s', () => {
  expect([1, 2, 3, 4, 5, 6, 100].map(backoffMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})
