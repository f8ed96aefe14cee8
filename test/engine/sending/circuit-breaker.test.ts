// A destination that fails is left alone, tried again with few at a time, and gets its load back.
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

describe('a breaker', () => {
  it('opens after a run of failures, not before, and a success between starts the count again', () => {
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

  it('opens sooner when there was no answer at all, but not for one alone', () => {
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

  it('lets one through when the wait is over, and says until when to stay away', () => {
    const breaker = opened()
    expect(breaker.retryAt(200)).toBe(1_200)
    expect(breaker.allowance(999)).toBe(0)
    expect(breaker.allowance(1_000)).toBe(1)
    expect(breaker.state()).toBe('half-open')
  })

  it('waits twice as long after each probe in vain, up to a limit', () => {
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

  it('waits as long as the far side asked', () => {
    const breaker = createBreaker({ ...SETTINGS, failures: 1 })
    breaker.onFailure(0, { answered: true, retryAfterMs: 9_000 }, IDLE)
    expect([breaker.allowance(8_999), breaker.allowance(9_000)]).toEqual([0, 1])
  })

  it('doubles the load with each success on the way back, until it is closed', () => {
    const breaker = opened()
    const windows = [breaker.allowance(1_000)]
    while (breaker.state() !== 'closed') {
      breaker.onSuccess()
      windows.push(breaker.allowance(1_000))
    }
    expect(windows).toEqual([1, 2, 4, 8, 16, 32, 64, ALL])
  })

  it('is not closed by answers to what was sent before it opened', () => {
    const breaker = opened()
    breaker.onSuccess()
    expect(breaker.allowance(500)).toBe(0)
  })

  it('takes a failure on the way back as a step back, and opens again at the last step', () => {
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

  it('stays closed for a destination that fails now and then, however much is sent there', () => {
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
