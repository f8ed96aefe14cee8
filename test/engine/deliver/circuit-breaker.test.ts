// The circuit breaker: opens for a failing destination, lets few probes through when half-open, and closes again.
import { describe, expect, it } from 'vitest'
import { createBreaker } from '../../../src/engine/deliver/circuit-breaker.ts'
import { HOUR, MINUTE, SECOND, seededDice } from '../../support/fixtures.ts'

const SETTINGS = { failures: 3, unresponsive: 2, firstWaitMs: 1_000, longestWaitMs: 60_000 }
/** A failure with a response, of another event each time. */
let events = 0
const responded = () => ({ eventId: `event ${events++}`, responded: true })
const UNRESPONSIVE = { eventId: 'one event', responded: false }
const IDLE = { inFlight: 0 }
const ALL = Number.POSITIVE_INFINITY

function opened() {
  const breaker = createBreaker(SETTINGS)
  for (let i = 0; i < 3; i++) breaker.onFailure(0, responded(), IDLE)
  return breaker
}

describe('a circuit breaker', () => {
  it('opens after a number of failures in a row; a success resets the count', () => {
    const breaker = createBreaker(SETTINGS)
    breaker.onFailure(0, responded(), IDLE)
    breaker.onFailure(0, responded(), IDLE)
    breaker.onSuccess()
    breaker.onFailure(0, responded(), IDLE)
    breaker.onFailure(0, responded(), IDLE)
    expect([breaker.state(), breaker.allowance(0)]).toEqual(['closed', ALL])
    breaker.onFailure(0, responded(), IDLE)
    expect([breaker.state(), breaker.allowance(0)]).toEqual(['open', 0])
  })

  it('opens after fewer failures without a response, but not after one', () => {
    const breaker = createBreaker(SETTINGS)
    breaker.onFailure(0, UNRESPONSIVE, IDLE)
    breaker.onFailure(0, responded(), IDLE)
    breaker.onSuccess()
    breaker.onFailure(0, UNRESPONSIVE, IDLE)
    expect(breaker.state()).toBe('closed')
    breaker.onFailure(0, UNRESPONSIVE, IDLE)
    expect(breaker.state()).toBe('open')
  })

  it('stays closed if the only event that fails gets a response each time', () => {
    const breaker = createBreaker(SETTINGS)
    for (let i = 0; i < 10; i++) breaker.onFailure(0, { eventId: 'one event', responded: true }, IDLE)
    expect(breaker.state()).toBe('closed')
  })

  it('lets one send through while its process may probe, and reports when the next probe is due', () => {
    const breaker = opened()
    expect(breaker.probeAt(200)).toBe(1_000)
    expect(breaker.allowance(1_000)).toBe(0)
    breaker.onProbe(31_000)
    expect(breaker.allowance(30_999)).toBe(1)
    expect([breaker.state(), breaker.probeAt(1_000)]).toEqual(['half-open', 2_000])
    expect([breaker.allowance(31_000), breaker.state()]).toEqual([0, 'open'])
  })

  it('waits no longer when the clock is set back after another process has found it down', () => {
    const breaker = createBreaker(SETTINGS)
    breaker.onDown(HOUR, { downSince: HOUR, nextProbeAt: HOUR + 5_000 })
    expect([breaker.allowance(0), breaker.probeAt(0)]).toEqual([0, 5_000])
  })

  it('closes again if nobody has probed for ten minutes', () => {
    const breaker = opened()
    expect([breaker.allowance(601_000), breaker.allowance(601_001)]).toEqual([0, ALL])
    breaker.onFailure(601_002, UNRESPONSIVE, IDLE)
    expect(breaker.state()).toBe('closed')
  })

  it('opens when another process finds the destination down, and keeps a probe of its own', () => {
    const breaker = createBreaker(SETTINGS)
    breaker.onDown(0, { downSince: 0, nextProbeAt: 5_000 })
    expect([breaker.state(), breaker.probeAt(0)]).toEqual(['open', 5_000])
    breaker.onProbe(65_000)
    breaker.onDown(5_000, { downSince: 0, nextProbeAt: 65_000 })
    expect([breaker.state(), breaker.isProbing()]).toEqual(['half-open', true])
    breaker.onDown(5_100, { downSince: 0, nextProbeAt: 70_000 })
    expect(breaker.state()).toBe('open')
  })

  it('waits no longer than its wait when the clock is set back while it is open', () => {
    const breaker = createBreaker(SETTINGS)
    for (let i = 0; i < 3; i++) breaker.onFailure(HOUR, responded(), IDLE)
    expect([breaker.allowance(0), breaker.probeAt(0)]).toEqual([0, 1_000])
    expect(breaker.probeAt(999)).toBe(1_000)
  })

  it('waits for a second between probes, and later for a 300th of the outage, a minute at most', () => {
    const breaker = opened()
    const waits = new Map<number, number>()
    for (let now = 5 * MINUTE; now <= 10 * HOUR; now += 5 * MINUTE) {
      breaker.onProbe(now + MINUTE)
      breaker.onFailure(now, responded(), IDLE)
      waits.set(now, breaker.probeAt(now)! - now)
    }
    const shown = [5 * MINUTE, 10 * MINUTE, HOUR, 10 * HOUR].map((now) => waits.get(now))
    expect(shown).toEqual([SECOND, 2 * SECOND, 12 * SECOND, MINUTE])
  })

  it('counts the outage from when it opened, not from an event that failed long before', () => {
    const breaker = createBreaker(SETTINGS)
    breaker.onFailure(0, responded(), IDLE)
    breaker.onFailure(10 * HOUR, UNRESPONSIVE, IDLE)
    breaker.onFailure(10 * HOUR, UNRESPONSIVE, IDLE)
    expect(breaker.probeAt(10 * HOUR)).toBe(10 * HOUR + SECOND)
  })

  it('tries one send at once when another process has found the destination up', () => {
    const breaker = opened()
    breaker.onRecovered()
    expect([breaker.state(), breaker.allowance(100)]).toEqual(['half-open', 1])
    breaker.onSuccess()
    breaker.onRecovered()
    expect(breaker.allowance(100)).toBe(2)
  })

  it('stays open for the time that the receiver asks for', () => {
    const breaker = createBreaker({ ...SETTINGS, failures: 1 })
    breaker.onFailure(0, { ...responded(), retryAfterMs: 9_000 }, IDLE)
    expect(breaker.probeAt(0)).toBe(9_000)
  })

  it('doubles the load with each success while half-open, until it closes', () => {
    const breaker = opened()
    breaker.onProbe(2_000)
    const windows = [breaker.allowance(1_000)]
    while (breaker.state() !== 'closed') {
      breaker.onSuccess()
      windows.push(breaker.allowance(1_000))
    }
    expect(windows).toEqual([1, 2, 4, 8, 16, 32, 64, ALL])
  })

  it('is not closed by the result of a send that began before it opened', () => {
    const breaker = opened()
    breaker.onSuccess()
    expect(breaker.allowance(500)).toBe(0)
  })

  it('halves the load after a failure while half-open, and opens again at the lowest load', () => {
    const breaker = opened()
    breaker.onProbe(2_000)
    breaker.onSuccess()
    breaker.onSuccess()
    expect(breaker.allowance(1_000)).toBe(4)
    breaker.onFailure(1_000, responded(), IDLE)
    breaker.onFailure(1_000, responded(), IDLE)
    expect(breaker.allowance(1_000)).toBe(1)
    breaker.onFailure(1_000, responded(), IDLE)
    expect([breaker.state(), breaker.probeAt(1_000)]).toEqual(['open', 2_000])
  })

  it('stays closed for a destination that fails now and then', () => {
    const breaker = createBreaker(SETTINGS)
    const dice = seededDice(3)
    for (let i = 0; i < 100_000; i++) {
      if (dice() < 0.6) breaker.onFailure(i, UNRESPONSIVE, { inFlight: 255 })
      else breaker.onSuccess()
      expect(breaker.state()).toBe('closed')
    }
    breaker.onSuccess()
    for (let i = 0; i < 255; i++) breaker.onFailure(0, UNRESPONSIVE, { inFlight: 255 })
    expect(breaker.state()).toBe('closed')
    breaker.onFailure(0, UNRESPONSIVE, { inFlight: 255 })
    expect(breaker.state()).toBe('open')
  })
})
