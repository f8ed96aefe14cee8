// The alarm: sleeps until an instant, wakes earlier when it is rung, and misses no ring.
import { describe, expect, it } from 'vitest'
import { createAlarm } from '../../src/engine/timing.ts'
import { createTestClock } from '../support/fixtures.ts'

function sleeping(start = 0) {
  const clock = createTestClock(start)
  const alarm = createAlarm(clock)
  const woke: number[] = []
  const sleepUntil = (at: number) => void alarm.sleepUntil(at).then(() => woke.push(clock.now()))
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

  it('sleeps on if a timer fires early, as happens when a clock is set back', async () => {
    let now = 0
    let fire = () => {}
    const clock = {
      now: () => now,
      after: (_ms: number, callback: () => void) => {
        fire = callback
        return { cancel() {} }
      },
    }
    let woke = false
    const slept = createAlarm(clock)
      .sleepUntil(1_000)
      .then(() => {
        woke = true
      })
    now = 990
    fire()
    await Promise.resolve()
    expect(woke).toBe(false)
    now = 1_000
    fire()
    await slept
    expect(woke).toBe(true)
  })
})
