// The filter and the order of the list of people in the URL.
import { describe, expect, it } from 'vitest'
import { confirms } from '../../../../web/src/pages/people/list/confirms.ts'
import {
  ariaSort,
  filterOfUrl,
  filterText,
  nextOrder,
  orderOfUrl,
} from '../../../../web/src/pages/people/list/people-filter.ts'

describe('the filter of the list of people', () => {
  it('is read from the URL', () => {
    const query = '?search=+ada+&zone=Europe%2FLondon&type=BIRTHDAY&due=7d&paused=false&failed=true'
    expect(filterOfUrl(query)).toEqual({
      search: 'ada',
      timezone: 'Europe/London',
      type: 'BIRTHDAY',
      dueWithin: '7d',
      paused: false,
      failed: true,
    })
    expect(filterOfUrl('')).toEqual({})
  })

  it('ignores values that the server would reject', () => {
    expect(filterOfUrl('?search=+&type=birth%20day&due=soon&paused=maybe&failed=no')).toEqual({})
  })

  it('is described in words', () => {
    expect(filterText({})).toBe('All people')
    expect(filterText(filterOfUrl('?search=ada&zone=Europe%2FLondon&due=1d&paused=true'))).toBe(
      'All people matching “ada”, in London, due within 24 hours, with paused occasions',
    )
  })
})

describe('the order of the list of people', () => {
  it('changes with each click on a header, and ends with the newest person first', () => {
    expect(nextOrder('-createdAt', 'name')).toBe('name')
    expect(nextOrder('name', 'name')).toBe('-name')
    expect(nextOrder('-name', 'name')).toBe('-createdAt')
    expect(nextOrder('-name', 'due')).toBe('dueAt')
    expect(nextOrder('dueAt', 'due')).toBe('-createdAt')
    expect(nextOrder('-createdAt', 'added')).toBe('createdAt')
  })

  it('is announced at its column', () => {
    expect([ariaSort('-createdAt', 'added'), ariaSort('-createdAt', 'name')]).toEqual(['descending', 'none'])
    expect([ariaSort('-name', 'name'), ariaSort('-name', 'added')]).toEqual(['descending', 'none'])
    expect(ariaSort('dueAt', 'due')).toBe('ascending')
  })

  it('is read from the URL, unless it is unknown', () => {
    expect(orderOfUrl('?sort=-name')).toBe('-name')
    expect(orderOfUrl('?sort=age')).toBe('-createdAt')
  })
})

describe('the confirmation of a deletion', () => {
  it('is the number or the word', () => {
    for (const typed of ['1234', '1,234', ' 1.234 ', 'delete', 'DELETE'])
      expect(confirms(typed, 1_234)).toBe(true)
    for (const typed of ['', '123', 'del', '12345']) expect(confirms(typed, 1_234)).toBe(false)
  })
})
