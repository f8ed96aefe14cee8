// The typed query of the Messages page: text, terms and requests.
import { describe, expect, it } from 'vitest'
import {
  formatQuery,
  messagesPath,
  parseQuery,
  termsOfUrl,
} from '../../../../web/src/pages/messages/query.ts'
import { listRequest, type Names, replayRequest } from '../../../../web/src/pages/messages/request.ts'
import { readSpan } from '../../../../web/src/pages/messages/span.ts'

const NOW = Date.parse('2026-11-16T07:30:00Z')
const READER = { now: NOW, offsetMinutes: 0 }
const ID = '019b2279-4400-7000-8000-2f6b1c9d3e4a'
const KEY = 'event-4f1c0f2b8f9f4b0f9a7de1a2b3c4d5e6'
const NOBODY: Names = { channel: null, userId: null }

describe('the typed query', () => {
  it('is read as terms', () => {
    const text = 'status:failed channel:crm type:birthday due:today person:ada'
    expect(parseQuery(text)).toEqual({
      terms: { status: 'failed', channel: 'crm', type: 'BIRTHDAY', due: 'today', person: 'ada' },
      problems: [],
    })
    expect(parseQuery('  STATUS:Failed,sending  ').terms).toEqual({ status: 'failed,sending' })
    expect(parseQuery('status:failed status:COMPLETED').terms).toEqual({ status: 'failed,sent' })
    expect(parseQuery('reason:"HTTP 422" person:"Ada Lovelace"').terms).toEqual({
      reason: 'HTTP 422',
      person: 'Ada Lovelace',
    })
  })

  it('reads a word without a filter as an id, an idempotency key, or a name', () => {
    expect(parseQuery(ID.toUpperCase()).terms).toEqual({ id: ID })
    expect(parseQuery(KEY).terms).toEqual({ id: KEY })
    expect(parseQuery('ada lovelace status:sent').terms).toEqual({ person: 'ada lovelace', status: 'sent' })
  })

  it('names what it cannot read, and keeps the rest', () => {
    const { terms, problems } = parseQuery('status:gone due:someday colour:red id:7 type:a due:1d due:2d')
    expect(terms).toEqual({ type: 'A', due: '1d' })
    expect(problems).toEqual([
      'Unknown status "gone". Use scheduled, sending, sent, failed, unresolved.',
      expect.stringMatching(/^"someday" is not a time range\. Use today, /),
      expect.stringMatching(/^Unknown filter "colour"\. Use status, type, /),
      '"7" is neither the id of an event nor an idempotency key.',
      'Use due: once.',
    ])
  })

  it('survives the way into the URL and back', () => {
    const { terms } = parseQuery(
      'status:failed,sent person:"Ada Lovelace" reason:"HTTP 422" due:2026-12-01..',
    )
    expect(parseQuery(formatQuery(terms)).terms).toEqual(terms)
    const path = messagesPath(terms)
    expect(path).toMatch(/^messages\?status=failed%2Csent&/)
    expect(termsOfUrl(path.slice('messages'.length)).terms).toEqual(terms)
    expect(messagesPath({})).toBe('messages')
    expect(termsOfUrl('?cursor=x&status=nonsense').problems).toHaveLength(1)
  })
})

describe('a time range', () => {
  const text = (given: string, offsetMinutes = 0) => {
    const span = readSpan(given, { now: NOW, offsetMinutes })
    const iso = (at?: number) => (at === undefined ? '' : new Date(at).toISOString().slice(0, 16))
    return span === null ? null : `${iso(span.from)}..${iso(span.before)}`
  }

  it('is a day of the reader, a duration, a date, a month, a minute, or two of them', () => {
    expect(text('today')).toBe('2026-11-16T00:00..2026-11-17T00:00')
    expect(text('today', -480)).toBe('2026-11-15T08:00..2026-11-16T08:00')
    expect(text('tomorrow', 540)).toBe('2026-11-16T15:00..2026-11-17T15:00')
    expect(text('24h')).toBe('2026-11-15T07:30..2026-11-16T07:30')
    expect(text('+7d')).toBe('2026-11-16T07:30..2026-11-23T07:30')
    expect(text('past')).toBe('..2026-11-16T07:30')
    expect(text('future')).toBe('2026-11-16T07:30..')
    expect(text('all')).toBe('..')
    expect(text('2026-12-15', 60)).toBe('2026-12-14T23:00..2026-12-15T23:00')
    expect(text('2026-02')).toBe('2026-02-01T00:00..2026-03-01T00:00')
    expect(text('2026-12-15T16:00Z', 60)).toBe('2026-12-15T16:00..2026-12-15T16:01')
    expect(text('2026-12-01..2026-12-24')).toBe('2026-12-01T00:00..2026-12-25T00:00')
    expect(text('..yesterday')).toBe('..2026-11-16T00:00')
  })

  it('is rejected if it does not exist', () => {
    for (const given of ['2026-02-30', '2026-13', '..', 'a..b', '0d', '5', '24H', '1d..2d..3d'])
      expect([given, text(given)]).toEqual([given, null])
  })
})

describe('the request for a list of messages', () => {
  const filterOf = (query: string, names = NOBODY) =>
    listRequest(parseQuery(query).terms, names, READER).filter
  const MONTH_AGO = '2026-10-17T07:30:00.000Z'
  const NOW_TEXT = '2026-11-16T07:30:00.000Z'

  it('is for the messages of the last 30 days, the newest first, unless a range is given', () => {
    expect(filterOf('')).toEqual({ order: 'newest', dueFrom: MONTH_AGO, dueBefore: NOW_TEXT })
    expect(filterOf('due:all type:birthday')).toEqual({ order: 'newest', type: 'BIRTHDAY' })
    expect(filterOf('due:past')).toEqual({ order: 'newest', dueBefore: NOW_TEXT })
  })

  it('lists messages that are still to come with the next one first', () => {
    expect(filterOf('status:scheduled')).toEqual({ status: 'PENDING', dueFrom: MONTH_AGO })
    expect(filterOf('due:+24h')).toEqual({ dueFrom: NOW_TEXT, dueBefore: '2026-11-17T07:30:00.000Z' })
  })

  it('has no bound of time for one person or one message', () => {
    expect(filterOf('person:ada', { channel: null, userId: ID })).toEqual({ order: 'newest' })
    expect(filterOf(ID)).toEqual({ order: 'newest', id: ID })
    expect(filterOf(KEY)).toEqual({ order: 'newest', idempotencyKey: KEY })
  })

  it('translates states, channels, reasons and times', () => {
    expect(
      filterOf('status:unresolved settled:24h channel:crm reason:"HTTP 422"', {
        channel: 'c1',
        userId: null,
      }),
    ).toEqual({
      order: 'newest',
      status: 'FAILED',
      unresolved: 'true',
      channel: 'c1',
      exactReason: 'HTTP 422',
      dueFrom: '2026-10-16T07:30:00.000Z',
      dueBefore: NOW_TEXT,
      settledFrom: '2026-11-15T07:30:00.000Z',
      settledBefore: NOW_TEXT,
    })
    expect(filterOf('status:sent,failed').status).toBe('COMPLETED,FAILED')
    expect(filterOf('duplicates:24h').unknownFrom).toBe('2026-11-15T07:30:00.000Z')
  })
})

describe('the request to retry all messages that match', () => {
  const replayOf = (query: string) => replayRequest(parseQuery(query).terms, NOBODY, READER)

  it('exists only if all of them have failed', () => {
    for (const query of ['', 'status:sent', 'status:failed,sent', `status:failed ${ID}`])
      expect(replayOf(query)).toBeNull()
    expect(replayOf('status:failed type:birthday due:24h')).toEqual({
      type: 'BIRTHDAY',
      dueFrom: '2026-11-15T07:30:00.000Z',
      dueBefore: '2026-11-16T07:30:00.000Z',
      failedBefore: '2026-11-16T07:30:00.000Z',
    })
  })
})
