// The lines of people and occasions that were deleted.
import { expect, it } from 'vitest'
import { accountErased } from '../../../../src/domain/ledger/account/erased.ts'
import type { ErasedEvent } from '../../../../src/domain/ledger/journal.ts'
import { DAY_MS } from '../../../../src/domain/time/calendar.ts'

const at = (text: string) => Date.parse(`2027-${text}Z`)
const CLOSED = at('03-12T12:00')
/** Due on 2027-03-10; the account of 2027-03-11 was closed at `CLOSED`. */
const EVENT: ErasedEvent = {
  targetAt: at('03-10T09:00'),
  offsetSeconds: 0,
  status: 'COMPLETED',
  executedAt: CLOSED + 1,
  failureCode: null,
  createdAt: at('03-09T09:00'),
}

const linesOn = (day: string, event: ErasedEvent) =>
  accountErased(
    { number: 7, at: CLOSED + 9, kind: 'person-deleted', idHash: '', erased: [event] },
    Date.parse(day) / DAY_MS,
    CLOSED,
  ).map(({ column, entry, carriedFrom }) => [column, entry, carriedFrom])

it('has an event on its day, and on a later day if it was open when the day before was closed', () => {
  expect(linesOn('2027-03-10', EVENT)).toEqual([['delivered', 7, null]])
  expect(linesOn('2027-03-12', EVENT)).toEqual([['delivered', 7, '2027-03-10']])
  expect(linesOn('2027-03-12', { ...EVENT, executedAt: CLOSED - 1 })).toEqual([])
  expect(linesOn('2027-03-12', { ...EVENT, status: 'PENDING', executedAt: null })).toEqual([
    ['excused', 7, '2027-03-10'],
  ])
})

it('has a replay that was asked for after the day before was closed if it was delivered', () => {
  const replay = { ...EVENT, createdAt: CLOSED + 1 }
  expect(linesOn('2027-03-12', replay)).toEqual([['delivered', 7, '2027-03-10']])
  expect(linesOn('2027-03-12', { ...replay, status: 'PENDING', executedAt: null })).toEqual([])
})

it('has a message that was sent weeks ahead on the day of the deletion, and one sent days ahead on its own', () => {
  const ahead = (targetAt: string) => ({ ...EVENT, targetAt: at(targetAt) })
  expect(linesOn('2027-03-12', ahead('04-20T09:00'))).toEqual([['delivered', 7, '2027-04-20']])
  expect(linesOn('2027-03-13', ahead('04-20T09:00'))).toEqual([])
  expect(linesOn('2027-03-12', ahead('03-14T09:00'))).toEqual([])
  expect(linesOn('2027-03-14', ahead('03-14T09:00'))).toEqual([['delivered', 7, null]])
})
