// The filter of the list of people in the URL.
import { describe, expect, it } from 'vitest'
import { confirms } from '../../../../web/src/pages/people/list/confirms.ts'
import { filterOfUrl, filterText } from '../../../../web/src/pages/people/list/people-filter.ts'

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

describe('the confirmation of a deletion', () => {
  it('is the number or the word', () => {
    for (const typed of ['1234', '1,234', ' 1.234 ', 'delete', 'DELETE'])
      expect(confirms(typed, 1_234)).toBe(true)
    for (const typed of ['', '123', 'del', '12345']) expect(confirms(typed, 1_234)).toBe(false)
  })
})
