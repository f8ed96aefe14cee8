// How names are folded for search, and how a search is read.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, parseSearch, searchText } from '../../../src/domain/users/search.ts'

const person = { firstName: 'Ada', lastName: 'Lovelace', email: null, externalId: null }

describe('fold', () => {
  it.each([
    ['MÜLLER', 'muller'],
    ['Mu\u0308ller', 'muller'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Łukasz Ørsted', 'lukasz orsted'],
    ['Æsir Œuvre Þór Đorđe', 'aesir oeuvre thor dorde'],
    ['İstanbul ISPARTA ılıca', 'istanbul isparta ilica'],
    ['Σοφίας ΣΟΦΊΑΣ', 'σοφιασ σοφιασ'],
    ['Nguyễn Văn', 'nguyen van'],
    ['Йосиф Ёлка', 'иосиф елка'],
    ['ｆｕｌｌ ﬁve', 'full five'],
    ['李小龍', '李小龍'],
    ['ガンダム', 'ガンダム'],
    ['김연아', '김연아'],
    ['हिन्दी', 'हिन्दी'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
  ])('makes %s into %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('changes nothing that was folded before', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      { numRuns: 300, seed: 16 },
    )
  })
})

describe('the search text of a person', () => {
  it('has the words of the name, the e-mail address and the external id', () => {
    const ada = {
      firstName: 'Anne-Märie',
      lastName: "O'Brien",
      email: 'A.B@Example.com',
      externalId: 'CRM-47 x',
    }
    expect(searchText(ada)).toBe('anne marie o brien a.b@example.com crm-47 x')
  })

  it('is never empty, also for a name of signs alone', () => {
    expect(searchText({ ...person, firstName: '♥', lastName: '!' })).toBe('♥ !')
    expect(searchText({ ...person, firstName: '\u0301', lastName: '\u0301' })).toBe('?')
  })

  it('fits an index entry of PostgreSQL, also for names that folding makes longer', () => {
    const long = '\ufdfa'.repeat(100)
    const text = searchText({
      firstName: long,
      lastName: long,
      email: `${'é'.repeat(250)}@x`,
      externalId: '𝕏'.repeat(200),
    })
    expect(new TextEncoder().encode(text).length).toBeLessThan(2_600)
  })
})

describe('a search', () => {
  it('is read as words, each with its parts if it has signs in it', () => {
    expect(parseSearch("  Ada O'Brien ").terms).toEqual([
      { whole: 'ada', parts: [] },
      { whole: "o'brien", parts: ['o', 'brien'] },
    ])
    expect(parseSearch('%').terms).toEqual([{ whole: '%', parts: [] }])
    expect(parseSearch('   ').terms).toEqual([])
  })

  it('has a bounded number of words and parts, however its letters are folded', () => {
    // U+FDFA stands for four words, U+2100 for two letters and a sign.
    for (const text of ['\ufdfa'.repeat(100), '\u2100'.repeat(100), '\u2100\u2100\u2100\u2100 '.repeat(20)]) {
      const { terms } = parseSearch(text)
      expect(terms.length + terms.flatMap(({ parts }) => parts).length).toBeLessThan(90)
    }
    expect(parseSearch('ada ada').terms).toHaveLength(1)
  })

  it('may be the beginning of an id', () => {
    expect(parseSearch('019A84F1-8C').ids).toEqual({
      first: '019a84f1-8c00-0000-0000-000000000000',
      last: '019a84f1-8cff-ffff-ffff-ffffffffffff',
    })
    for (const text of ['019a84f', 'ada', '019a84f1x', '019a84f1 ada'])
      expect(parseSearch(text).ids).toBeNull()
  })
})
