// The circuit breaker: opens for a failing destination, lets few probes through when half-open, and closes again.
import { describe, expect, it } from 'vitest'
import { breakerFor, createBreaker } from '../../../src/engine/sending/circuit-breaker.ts'
import { seededDice } from '../../support/fixtures.ts'

const SETTINGS = { failures: 3, unanswered: 2, firstWaitMs: 1_000, longestWaitMs: 4_000 }
const ANSWERED = { answered: true }
const IDLE = { inFlight: 0 }
const ALL = Number.POSITIVE_INFINITY

function opened() {
  const breaker = createBreaker(SETTINGS)
  for (let i = 0; i < 3; i++) breaker.onFailure(0, ANSWERED, IDLE)
  return breaker
}

describe('a circuit breaker', () => {
  it('opens after a number of failures in a row; a success resets the count', () => {
    const breaker = createBreaker(SETTINGS)
    breaker.onFailure(0, ANSWERED, IDLE)
    breaker.onFailure(0, ANSWERED, IDLE)
    breaker.onSuccess()
    breaker.onFailure(0, ANSWERED, IDLE)
    breaker.onFailure(0, ANSWERED, IDLE)
    expect([breaker.state(), breaker.allowance(0)]).toEqual(['closed', ALL])
    breaker.onFailure(0, ANSWERED, IDLE)
    expect([breaker.state(), breaker.allowance(0)]).toEqual(['open', 0])
  })

  it('opens after fewer failures without a response, but not after one', () => {
    const breaker = createBreaker(SETTINGS)
    breaker.onFailure(0, { answered: false }, IDLE)
    breaker.onFailure(0, ANSWERED, IDLE)
    breaker.onSuccess()
    breaker.onFailure(0, { answered: false }, IDLE)
    expect(breaker.state()).toBe('closed')
    breaker.onFailure(0, { answered: false }, IDLE)
    expect(breaker.state()).toBe('open')
    expect([1, 2, 4, 9].map((attempts) => breakerFor(attempts).unanswered)).toEqual([2, 2, 4, 5])
  })

  it('lets one send through when its wait is over, and reports when the wait ends', () => {
    const breaker = opened()
    expect(breaker.retryAt(200)).toBe(1_200)
    expect(breaker.allowance(999)).toBe(0)
    expect(breaker.allowance(1_000)).toBe(1)
    expect(breaker.state()).toBe('half-open')
  })

  it('doubles its wait after each failed probe, up to a limit', () => {
    const breaker = opened()
    let now = 0
    const waits = [1_000, 2_000, 4_000, 4_000].map((waitMs) => {
      expect(breaker.allowance(now + waitMs - 1)).toBe(0)
      now += waitMs
      expect(breaker.allowance(now)).toBe(1)
      breaker.onFailure(now, ANSWERED, IDLE)
      return breaker.state()
    })
    expect(waits).toEqual(['open', 'open', 'open', 'open'])
  })

  it('stays open for the time that the receiver asks for', () => {
    const breaker = createBreaker({ ...SETTINGS, failures: 1 })
    breaker.onFailure(0, { answered: true, retryAfterMs: 9_000 }, IDLE)
    expect([breaker.allowance(8_999), breaker.allowance(9_000)]).toEqual([0, 1])
  })

  it('doubles the load with each success while half-open, until it closes', () => {
    const breaker = opened()
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
    breaker.allowance(1_000)
    breaker.onSuccess()
    breaker.onSuccess()
    expect(breaker.allowance(1_000)).toBe(4)
    breaker.onFailure(1_000, ANSWERED, IDLE)
    breaker.onFailure(1_000, ANSWERED, IDLE)
    expect(breaker.allowance(1_000)).toBe(1)
    breaker.onFailure(1_000, ANSWERED, IDLE)
    expect([breaker.state(), breaker.allowance(2_999), breaker.allowance(3_000)]).toEqual(['open', 0, 1])
  })

  it('stays closed for a destination that fails now and then', () => {
    const breaker = createBreaker(SETTINGS)
    const dice = seededDice(3)
    for (let i = 0; i < 100_000; i++) {
      if (dice() < 0.6) breaker.onFailure(i, { answered: false }, { inFlight: 255 })
      else breaker.onSuccess()
      expect(breaker.state()).toBe('closed')
    }
    breaker.onSuccess()
    for (let i = 0; i < 255; i++) breaker.onFailure(0, { answered: false }, { inFlight: 255 })
    expect(breaker.state()).toBe('closed')
    breaker.onFailure(0, { answered: false }, { inFlight: 255 })
    expect(breaker.state()).toBe('open')
  })
})
