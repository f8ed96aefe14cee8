// The circuit breaker: finds an outage, lets one probe through, and lets the load come back step by step.
import { describe, expect, it } from 'vitest'
import { createBreaker } from '../../../src/engine/deliver/circuit-breaker.ts'
import { statesAlone } from '../../support/fixed-parts.ts'
import { HOUR, MINUTE, SECOND, seededDice } from '../../support/fixtures.ts'

const SETTINGS = { failures: 3, unresponsive: 2, firstWaitMs: 1_000, longestWaitMs: 60_000 }
const ALL = Number.POSITIVE_INFINITY
const FAILURE = { error: 'HTTP 503', isLocal: false, inFlight: 0 }
/** A failure with a response, of another event each time. */
let events = 0
const responded = () => ({ ...FAILURE, eventId: `event ${events++}`, responded: true })
const UNRESPONSIVE = { ...FAILURE, eventId: 'one event', responded: false }

function setUp(over: Partial<typeof SETTINGS> = {}) {
  const states = statesAlone()
  const breaker = createBreaker({ ...SETTINGS, ...over }, states, 'a')
  const fail = (now: number, ...failures: ReturnType<typeof responded>[]) => {
    for (const failure of failures) breaker.onFailure(now, failure)
  }
  const probe = (now: number) => states.claimProbe('a', now, MINUTE)
  const nextProbeAt = () => states.of('a').nextProbeAt
  return { breaker, states, fail, probe, nextProbeAt }
}

function opened() {
  const parts = setUp()
  parts.fail(0, responded(), responded(), responded())
  return parts
}

describe('a circuit breaker', () => {
  it('opens after a number of failures in a row; a success resets the count', () => {
    const { breaker, fail } = setUp()
    fail(0, responded(), responded())
    expect([breaker.isHealthy(0), breaker.onSuccess(0), breaker.isHealthy(0)]).toEqual([false, false, true])
    fail(0, responded(), responded())
    expect(breaker.allowance(0)).toBe(ALL)
    fail(0, responded())
    expect([breaker.allowance(0), breaker.isHealthy(0)]).toEqual([0, false])
  })

  it('opens after fewer failures without a response, but not after one', () => {
    const { breaker, fail } = setUp()
    fail(0, UNRESPONSIVE, responded())
    breaker.onSuccess(0)
    fail(0, UNRESPONSIVE)
    expect(breaker.allowance(0)).toBe(ALL)
    fail(0, UNRESPONSIVE)
    expect(breaker.allowance(0)).toBe(0)
  })

  it('stays closed if the only event that fails gets a response each time', () => {
    const { breaker, fail } = setUp()
    fail(0, ...Array(10).fill({ ...UNRESPONSIVE, responded: true }))
    expect(breaker.allowance(0)).toBe(ALL)
  })

  it('lets one send through while its process may probe', async () => {
    const { breaker, probe, nextProbeAt } = opened()
    expect([nextProbeAt(), await probe(999), breaker.allowance(1_000)]).toEqual([1_000, false, 0])
    expect([await probe(1_000), breaker.allowance(1_000)]).toEqual([true, 1])
    expect([breaker.allowance(60_999), breaker.allowance(61_000)]).toEqual([1, 0])
  })

  it.each([
    ['nobody has probed for ten minutes', 601_000, 601_001],
    ['the clock was set back by more than a minute', -MINUTE, -MINUTE - 1],
  ])('closes again if %s', (_, before, after) => {
    const { breaker, fail } = opened()
    expect([breaker.allowance(before), breaker.allowance(after)]).toEqual([0, ALL])
    fail(after, UNRESPONSIVE)
    expect(breaker.allowance(after)).toBe(ALL)
  })

  it('opens when another process finds the destination down, and begins with one send when that finds it up', () => {
    const { breaker, states, fail } = setUp()
    states.markDown({ channelId: 'a', at: 0, error: 'x', nextProbeAt: 5_000, isLocal: false })
    expect(breaker.allowance(0)).toBe(0)
    fail(10, UNRESPONSIVE)
    states.markUp('a', 100)
    expect([breaker.allowance(100), breaker.isHealthy(100)]).toEqual([1, true])
    breaker.onSuccess(100)
    expect(breaker.allowance(100)).toBe(2)
  })

  it('waits for a second between probes, later for a 300th of the outage, a minute at most, and half a second more for other processes', async () => {
    const { fail, probe, nextProbeAt } = opened()
    const waits = new Map<number, number>()
    for (let now = 5 * MINUTE; now <= 10 * HOUR; now += 5 * MINUTE) {
      await probe(now)
      fail(now, responded())
      waits.set(now, nextProbeAt()! - now)
    }
    const shown = [5 * MINUTE, 10 * MINUTE, HOUR, 10 * HOUR].map((now) => waits.get(now))
    expect(shown).toEqual([SECOND, 2 * SECOND, 12 * SECOND, MINUTE].map((ms) => ms + SECOND / 2))
  })

  it('counts the outage from when it opened, not from an event that failed long before', () => {
    const { fail, nextProbeAt } = setUp()
    fail(0, responded())
    fail(10 * HOUR, UNRESPONSIVE, UNRESPONSIVE)
    expect(nextProbeAt()).toBe(10 * HOUR + SECOND)
  })

  it('stays open for the time that the receiver asks for', () => {
    const { breaker, nextProbeAt } = setUp({ failures: 1 })
    breaker.onFailure(0, { ...responded(), retryAfterMs: 9_000 })
    expect(nextProbeAt()).toBe(9_000)
  })

  it('doubles the load with each success after a probe, until it is unlimited', async () => {
    const { breaker, probe, states } = opened()
    await probe(1_000)
    const windows = [breaker.allowance(1_000)]
    expect([breaker.onSuccess(1_000), states.of('a').downSince]).toEqual([true, null])
    for (;;) {
      windows.push(breaker.allowance(1_000))
      if (windows.at(-1) === ALL) break
      expect(breaker.onSuccess(1_000)).toBe(false)
    }
    expect(windows).toEqual([1, 2, 4, 8, 16, 32, 64, ALL])
  })

  it('is not closed by the result of a send that began before it opened', () => {
    const { breaker, fail, nextProbeAt } = opened()
    expect([breaker.onSuccess(500), breaker.allowance(500)]).toEqual([false, 0])
    fail(500, responded())
    expect(nextProbeAt()).toBe(1_000)
  })

  it('closes after a probe that took longer than its claim', async () => {
    const { breaker, probe, states } = opened()
    await probe(1_000)
    expect(breaker.allowance(2 * MINUTE)).toBe(0)
    expect([breaker.onSuccess(2 * MINUTE), states.of('a').downSince]).toEqual([true, null])
  })

  it('halves the load after a failure while it comes back, and opens again after as many as before', async () => {
    const { breaker, fail, probe, nextProbeAt } = opened()
    await probe(1_000)
    breaker.onSuccess(1_000)
    breaker.onSuccess(1_000)
    expect(breaker.allowance(1_000)).toBe(4)
    fail(1_000, responded())
    expect(breaker.allowance(1_000)).toBe(2)
    fail(1_000, responded())
    expect(breaker.allowance(1_000)).toBe(1)
    fail(1_000, responded())
    expect([breaker.allowance(1_000), nextProbeAt()]).toEqual([0, 2_000])
  })

  it('stays closed after one failure right after another process has found the destination up', () => {
    const { breaker, fail, states } = opened()
    expect(breaker.allowance(1_000)).toBe(0)
    states.markUp('a', 1_000)
    fail(1_000, responded())
    expect(breaker.allowance(1_000)).toBe(1)
  })

  it('stays closed for a destination that fails now and then', () => {
    const { breaker, fail } = setUp()
    const dice = seededDice(3)
    const busy = { ...UNRESPONSIVE, inFlight: 255 }
    for (let i = 0; i < 100_000; i++) {
      if (dice() < 0.6) breaker.onFailure(i, busy)
      else breaker.onSuccess(i)
      if (breaker.allowance(i) !== ALL) throw new Error(`opened at ${i}`)
    }
    breaker.onSuccess(0)
    fail(0, ...Array(255).fill(busy))
    expect(breaker.allowance(0)).toBe(ALL)
    fail(0, busy)
    expect(breaker.allowance(0)).toBe(0)
  })
})
