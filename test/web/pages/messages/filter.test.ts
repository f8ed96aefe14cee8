// The filter of the Messages page: its URL, its periods and its requests.
import { describe, expect, it } from 'vitest'
import {
  type Filter,
  filterOfUrl,
  listRequest,
  messagesPath,
  periodOf,
  replayRequest,
  spanOf,
} from '../../../../web/src/pages/messages/filter.ts'

const NOW = Date.parse('2026-11-16T07:30:00Z')
const READER = { now: NOW, offsetMinutes: 0 }
const ID = '019b2279-4400-7000-8000-2f6b1c9d3e4a'
const NOW_TEXT = '2026-11-16T07:30:00.000Z'
const DAY_AGO = '2026-11-15T07:30:00.000Z'
const MONTH_AGO = '2026-10-17T07:30:00.000Z'

it('a filter survives the way into the URL and back', () => {
  const filter = { state: 'failed', channel: ID, type: 'NAME_DAY', person: ID, period: 'last-7d' }
  const path = messagesPath(filter)
  expect(path).toMatch(/^messages\?state=failed&/)
  expect(filterOfUrl(path.slice('messages'.length))).toEqual(filter)
  const period = periodOf(NOW, NOW + 900_000)
  expect(filterOfUrl(messagesPath({ period }).slice('messages'.length))).toEqual({ period })
  expect(messagesPath({ state: '' })).toBe('messages')
})

it('values of the URL that the page does not know are left out', () => {
  const farAgo = '-271821-04-20T00:00Z..2026-01-01Z'
  const unknown = [
    'someday',
    'constructor',
    '..',
    'a..b',
    '2026-11-16',
    '2026-11-17..2026-11-16',
    '1..2..3',
    farAgo,
  ]
  for (const period of unknown)
    expect(filterOfUrl(`?state=constructor&type=A&cursor=x&period=${period}`)).toEqual({ type: 'A' })
})

it.each([
  ['today', 0, '2026-11-16T00:00..2026-11-17T00:00'],
  ['today', -480, '2026-11-15T08:00..2026-11-16T08:00'],
  ['yesterday', 60, '2026-11-14T23:00..2026-11-15T23:00'],
  ['tomorrow', 540, '2026-11-16T15:00..2026-11-17T15:00'],
  ['last-24h', 0, '2026-11-15T07:30..2026-11-16T07:30'],
  ['last-7d', 0, '2026-11-09T07:30..2026-11-16T07:30'],
  ['next-24h', 0, '2026-11-16T07:30..2026-11-17T07:30'],
  ['next-7d', 0, '2026-11-16T07:30..2026-11-23T07:30'],
  ['2026-12-15T16:00Z..2026-12-15T16:15Z', 60, '2026-12-15T16:00..2026-12-15T16:15'],
])('the period %s of a reader at UTC offset %i is %s', (period, offsetMinutes, expected) => {
  const { from, before } = spanOf(period, { now: NOW, offsetMinutes })!
  expect([from!, before!].map((at) => new Date(at).toISOString().slice(0, 16)).join('..')).toBe(expected)
})

describe('the request for a list of messages', () => {
  const requestOf = (filter: Filter) => listRequest(filter, READER).filter

  it('is for the messages of the last 30 days, the newest first, unless a period is given', () => {
    expect(requestOf({})).toEqual({ order: 'newest', dueFrom: MONTH_AGO, dueBefore: NOW_TEXT })
    expect(requestOf({ period: 'all', type: 'BIRTHDAY' })).toEqual({ order: 'newest', type: 'BIRTHDAY' })
  })

  it('lists messages that are still to come with the next one first', () => {
    expect(requestOf({ state: 'scheduled' })).toEqual({ status: 'PENDING', dueFrom: MONTH_AGO })
    const nextDay = { dueFrom: NOW_TEXT, dueBefore: '2026-11-17T07:30:00.000Z' }
    expect(requestOf({ period: 'next-24h' })).toEqual(nextDay)
  })

  it('has no bound of time for one person', () => {
    expect(listRequest({ person: ID }, READER)).toEqual({ userId: ID, filter: { order: 'newest' } })
  })

  it('takes the period as the time when a message was sent or failed, for these states', () => {
    const settled = {
      order: 'newest',
      dueFrom: '2026-10-16T07:30:00.000Z',
      dueBefore: NOW_TEXT,
      settledFrom: DAY_AGO,
      settledBefore: NOW_TEXT,
    }
    const unresolved = { state: 'unresolved', period: 'last-24h', channel: 'c1' }
    expect(requestOf(unresolved)).toEqual({
      ...settled,
      status: 'FAILED',
      unresolved: 'true',
      channel: 'c1',
    })
    expect(requestOf({ state: 'sent', period: 'last-24h' })).toEqual({ ...settled, status: 'COMPLETED' })
  })

  it('takes the start of the period as the first uncertain attempt, for possible duplicates', () => {
    expect(requestOf({ state: 'duplicate', period: 'last-24h' })).toEqual({
      order: 'newest',
      dueFrom: '2026-10-16T07:30:00.000Z',
      dueBefore: NOW_TEXT,
      unknownFrom: DAY_AGO,
    })
  })
})

describe('the request to retry all messages that match', () => {
  it('exists only if all of them have failed, and ends now', () => {
    for (const state of ['', 'sent', 'duplicate']) expect(replayRequest({ state }, READER)).toBeNull()
    const filter = { state: 'failed', type: 'BIRTHDAY', person: ID, period: 'today' }
    expect(replayRequest(filter, READER)).toEqual({
      type: 'BIRTHDAY',
      userId: ID,
      dueFrom: '2026-10-17T00:00:00.000Z',
      dueBefore: NOW_TEXT,
      failedFrom: '2026-11-16T00:00:00.000Z',
      failedBefore: NOW_TEXT,
    })
  })
})
