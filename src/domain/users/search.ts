// The form in which people are searched: the words of their name, their e-mail address and external id, folded, so that
// "muller" finds "Müller". Every store keeps this form and compares it letter for letter.
import { fullName } from './full-name.ts'
import type { UserFields } from './user-fields.ts'

/** Letters that have no decomposition. `ς` ends a word only. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ı: 'i',
  ĸ: 'k',
  ə: 'a',
  ς: 'σ',
}

/** Accents, Hebrew points, Arabic vowel signs and joiners; not the vowels of Indian scripts and the marks of Japanese ones. */
const MARKS = /[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\u0591-\u05c7]/gu
const KANA_MARKS = /[\u3099\u309a]/
const ASCII = /^[\x20-\x7e]*$/

/** Lower case, without accents, ligatures and width: `Łukasz Müller-Straße` → `lukasz muller-strasse`. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (ASCII.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replaceAll(MARKS, (mark) => (KANA_MARKS.test(mark) ? mark : ''))
    .replaceAll(/[^\x20-\x7e]/g, (letter) => LETTERS[letter] ?? letter)
    .toLowerCase()
    .normalize('NFC')
}

/** An index entry of PostgreSQL has room for 2,700 bytes. */
const LONGEST_WORD = 100
const LONGEST_NAME = 200
const LONGEST_TEXT = 600

const shorten = (text: string, length: number) =>
  text.length <= length ? text : [...text].slice(0, length).join('')

const wordsIn = (text: string) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
const tokensIn = (text: string) => text.split(/\s+/u).filter((token) => token !== '')

type Searched = Pick<UserFields, 'firstName' | 'lastName' | 'email' | 'externalId'>

/** The words that a person is found by, separated by spaces, those of the name first. Never empty. */
export function searchText({ firstName, lastName, email, externalId }: Searched): string {
  const name = fold(fullName({ firstName, lastName }))
  const words = wordsIn(name)
  // A name of signs alone is one word.
  const ofName = shorten((words.length > 0 ? words : tokensIn(name)).join(' '), LONGEST_NAME)
  const others = [email, externalId].flatMap((text) => (text === null ? [] : tokensIn(fold(text))))
  const all = [ofName, ...others].flatMap(tokensIn).map((word) => shorten(word, LONGEST_WORD))
  return shorten([...new Set(all)].join(' '), LONGEST_TEXT).trimEnd() || '?'
}

/**
 * One word of a search. A person matches if one of their words begins with `whole`, or, for a word with signs in it such as
 * `o'brien`, if for each of the `parts` one of their words begins with it.
 */
export type SearchTerm = { whole: string; parts: readonly string[] }

export type Search = {
  terms: readonly SearchTerm[]
  /** For a text that may be the beginning of an id: the first and the last id that begin with it. */
  ids: { first: string; last: string } | null
}

/** Each is a parameter of a statement, of which D1 takes 100. */
const [MOST_TERMS, MOST_PARTS] = [12, 6]

export function parseSearch(text: string): Search {
  const words = tokensIn(fold(text)).map((token) => shorten(token, LONGEST_WORD))
  const tokens = [...new Set(words)].slice(0, MOST_TERMS)
  const terms = tokens.map((whole) => {
    const parts = wordsIn(whole).slice(0, MOST_PARTS)
    return { whole, parts: parts.length === 1 && parts[0] === whole ? [] : parts }
  })
  return { terms, ids: tokens.length === 1 ? idsFrom(tokens[0]!) : null }
}

const [FIRST_ID, LAST_ID] = ['0', 'f'].map((digit) =>
  '00000000-0000-0000-0000-000000000000'.replaceAll('0', digit),
)
const SHORTEST_ID = 8

function idsFrom(token: string): Search['ids'] {
  const template = LAST_ID!.slice(0, token.length).replaceAll('f', '[0-9a-f]')
  if (token.length < SHORTEST_ID || token.length > 36 || !new RegExp(`^${template}$`).test(token)) return null
  return { first: token + FIRST_ID!.slice(token.length), last: token + LAST_ID!.slice(token.length) }
}
