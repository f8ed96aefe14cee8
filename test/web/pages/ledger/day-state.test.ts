// What the account of a day says in short.
import { describe, expect, it } from 'vitest'
import { noCounts } from '../../../../src/domain/ledger/line.ts'
import type { LedgerDay } from '../../../../web/src/api/types.ts'
import { alarmsOf, stateOf, summaryOf, totalsText } from '../../../../web/src/pages/ledger/day-state.ts'

const HASH = '0'.repeat(64)

function dayWith(over: Partial<LedgerDay>): LedgerDay {
  const closing = { hash: HASH, tzVersion: '2026a', prunedAt: null }
  const closedAt = '2026-11-17T12:00:00.000Z'
  return { day: '2026-11-16', state: 'closed', closedAt, people: 9, ...noCounts(), ...closing, ...over }
}

describe('the state of a day', () => {
  it('is sound if all is delivered on time or excused', () => {
    expect(stateOf(dayWith({ owed: 9, delivered: 7, excused: 2 }))).toBe('sound')
    expect(stateOf(dayWith({}))).toBe('sound')
  })

  it('is open with a message that is not settled', () => {
    expect(stateOf(dayWith({ owed: 9, open: 9 }))).toBe('open')
    expect(stateOf(dayWith({ owed: 9, late: 1, open: 1 }))).toBe('open')
  })

  it('is late with a late or a failed message', () => {
    expect(stateOf(dayWith({ owed: 9, delivered: 9, late: 1 }))).toBe('late')
    expect(stateOf(dayWith({ owed: 9, delivered: 8, failed: 1 }))).toBe('late')
  })

  it('is an alarm with an unexplained or a surplus message, also beside late and failed ones', () => {
    expect(stateOf(dayWith({ late: 3, unexplained: 1 }))).toBe('alarm')
    expect(stateOf(dayWith({ failed: 3, surplus: 1 }))).toBe('alarm')
  })

  it('is closing while the account is computed, and none without an account', () => {
    expect(stateOf(dayWith({ state: 'closing', closedAt: null, unexplained: 1 }))).toBe('closing')
    expect(stateOf(undefined)).toBe('none')
  })
})

describe('the text of a day', () => {
  it('has the totals that are not zero, late and early ones among the delivered', () => {
    const day = dayWith({ owed: 1_204, delivered: 1_203, late: 2, early: 1, excused: 1, surplus: 2 })
    expect(totalsText(day)).toBe('1,204 owed, 1,203 delivered, 2 late, 1 early, 1 excused, 2 surplus')
    expect(totalsText(dayWith({}))).toBe('none owed')
    expect(totalsText(dayWith({ state: 'closing' }))).toBe('being closed')
  })

  it('names what makes the day stand out', () => {
    expect(alarmsOf(dayWith({ unexplained: 1_000, surplus: 1 }))).toEqual(['1,000 unexplained', '1 surplus'])
    expect(alarmsOf(dayWith({ failed: 5 }))).toEqual([])
  })
})

describe('the summary of all days', () => {
  it('counts closed days only, and says whether every message is explained', () => {
    const days = [dayWith({ state: 'closing', owed: 7 }), dayWith({ owed: 1 })]
    expect(summaryOf(days)).toBe(
      '1 closed day, 1 message owed. Every one is explained, and none was sent that was not owed.',
    )
  })

  it('counts a message that is carried over days once, and says what is open on the last one', () => {
    const days = [
      dayWith({ owed: 5, open: 5, carried: 3 }),
      dayWith({ owed: 3, open: 3, carried: 2 }),
      dayWith({ owed: 2, open: 2 }),
    ]
    expect(summaryOf(days)).toMatch(/^3 closed days, 5 messages owed\. 5 are still open\. /)
  })

  it('counts the days with unexplained or surplus messages', () => {
    const days = [dayWith({ owed: 4, unexplained: 1 }), dayWith({ owed: 5, surplus: 9 }), dayWith({})]
    expect(summaryOf(days)).toBe(
      '3 closed days, 9 messages owed. 2 days have messages that are unexplained or were not owed.',
    )
  })
})
