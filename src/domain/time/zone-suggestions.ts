// What somebody may have meant who wrote a timezone that is none: an abbreviation, an offset, a place, a misspelling.
// Knows the names; which of them there are, and what holds there now, it asks the table.

import { bitsOf, editDistance, lettersOf } from './edit-distance.ts'
import type { TimezoneTable } from './tzdb.ts'
import { ABBREVIATIONS, BY_POPULATION, PLACES } from './zone-nicknames.ts'

/** At most three, the likeliest first, and the words that lead up to them. None: nothing can be guessed. */
type ZoneSuggestions = { suggestions: string[]; why: string }

const MOST = 3
/** Nobody means a place by more characters than this. */
const MAX_LENGTH = 80

export function suggestZones(text: string, at: { now: number; table: TimezoneTable }): ZoneSuggestions {
  const wanted = text.trim()
  if (wanted === '' || wanted.length > MAX_LENGTH) return { suggestions: [], why: '' }
  const index = indexOf(at.table)
  const abbreviated = known(index, ABBREVIATIONS.get(wanted.toUpperCase()))
  if (abbreviated.length > 0) {
    const why =
      abbreviated.length > 1 ? 'It is the abbreviation of several:' : 'It is an abbreviation, as used in'
    return { suggestions: abbreviated, why }
  }
  const offsetMs = parseOffset(wanted)
  if (offsetMs !== null) {
    const why = 'An offset does not know the law of a place. Places with it now:'
    return { suggestions: placesAt(index, offsetMs, at.now), why }
  }
  return { suggestions: meant(index, wanted), why: 'It may mean' }
}

const REMEMBERED = 100

/** A file of people has the same mistake in every other line. */
function meant(index: Index, text: string): string[] {
  const { remembered } = index
  let found = remembered.get(text)
  if (found === undefined) {
    found = named(index, text) ?? misspelt(index, text)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(text, found)
  }
  return [...found]
}

/** The message to whoever wrote it: what is wrong and what to do. */
export function unknownTimezone(text: string, at: { now: number; table: TimezoneTable }): string {
  const shown = text.slice(0, 60).replaceAll(/\p{Cc}/gu, ' ')
  const { suggestions, why } = suggestZones(text, at)
  const remedy =
    suggestions.length === 0
      ? 'Use an IANA name such as Asia/Jakarta.'
      : `${why} ${listed(suggestions)}. Use an IANA name.`
  return `Unknown timezone "${shown}". ${remedy}`
}

function listed(names: readonly string[]): string {
  const [last, ...others] = names.toReversed()
  return others.length === 0 ? last! : `${others.toReversed().join(', ')} or ${last}`
}

/** What a table's names are found by. */
type Index = {
  table: TimezoneTable
  names: readonly string[]
  byKey: ReadonlyMap<string, readonly string[]>
  /** Each key with its letters. */
  spellings: readonly { key: string; letters: number; names: readonly string[] }[]
  remembered: Map<string, string[]>
}

const indexes = new WeakMap<TimezoneTable, Index>()

function indexOf(table: TimezoneTable): Index {
  let index = indexes.get(table)
  if (index === undefined) {
    index = makeIndex(table)
    indexes.set(table, index)
  }
  return index
}

/** Old names of whole regions, and names for ships: nobody lives by them. */
const NO_PLACE = /^(Etc|US|Canada|Mexico|Brazil|Chile)\/|^[^/]*$/

function makeIndex(table: TimezoneTable): Index {
  const rank = new Map(BY_POPULATION.map((name, i) => [name, i]))
  const rankOf = (name: string) => rank.get(name) ?? Number.POSITIVE_INFINITY
  const names = table
    .zones()
    .filter((name) => !NO_PLACE.test(name))
    .sort((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)))
  const byKey = new Map<string, string[]>()
  for (const name of names) {
    for (const key of new Set([foldedKey(name), foldedKey(name.split('/').at(-1)!)])) {
      const same = byKey.get(key) ?? []
      // One law under two names, such as Asia/Calcutta, is one suggestion.
      if (!same.some((other) => table.rules(other) === table.rules(name))) byKey.set(key, [...same, name])
    }
  }
  const spellings = [...byKey].map(([key, names]) => ({ key, letters: lettersOf(key), names }))
  return { table, names, byKey, spellings, remembered: new Map() }
}

/** Only letters and digits, without accents: `São Paulo` and `Sao_Paulo` are one. */
function foldedKey(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

function known({ table }: Index, names: readonly string[] = []): string[] {
  return names.filter((name) => table.canonicalName(name) !== null)
}

/** `GMT+7`, `UTC-03:30`, `+0545`; null for anything else. */
function parseOffset(text: string): number | null {
  const match = /^(?:UTC|GMT)?\s*([+\-−])\s*(\d{1,2})(?::?([0-5]\d))?$/i.exec(text)
  if (match === null) return null
  const [, sign, hours, minutes = '0'] = match
  return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function placesAt({ table, names }: Index, offsetMs: number, now: number): string[] {
  const found: string[] = []
  for (const name of names) {
    if (table.zone(name).offsetMsAt(now) !== offsetMs) continue
    // Of the many small ones none that is another under an old name, such as Asia/Katmandu.
    const isAnother = found.some((other) => table.rules(other) === table.rules(name))
    if (!isAnother || BY_POPULATION.includes(name)) found.push(name)
    if (found.length === MOST) break
  }
  return found
}

/** By a city, a country, or a list of them as `(UTC+07:00) Bangkok, Hanoi, Jakarta`; null if there is no such place. */
function named(index: Index, text: string): string[] | null {
  const bare = text.replace(/^\([^)]*\)\s*/, '')
  const found = [bare, ...bare.split(',')].flatMap((part) => placeNamed(index, part))
  return found.length === 0 ? null : [...new Set(found)].slice(0, MOST)
}

function placeNamed(index: Index, text: string): readonly string[] {
  const key = foldedKey(text)
  const clock = key.replace(/(standard|daylight|summer)?time$/, '')
  for (const one of [key, clock]) {
    const found = known(index, PLACES.get(one) ?? index.byKey.get(one))
    if (found.length > 0) return found
  }
  return []
}

/** The nearest names, if they are near enough to be meant. */
function misspelt({ spellings }: Index, text: string): string[] {
  const wanted = foldedKey(text)
  let limit = wanted.length < 5 ? 0 : wanted.length < 8 ? 1 : 2
  let found: string[] = []
  if (limit === 0) return found
  const letters = lettersOf(wanted)
  for (const { key, letters: others, names } of spellings) {
    // One step takes away a letter and adds one, at most.
    if (bitsOf(letters ^ others) > 2 * limit) continue
    const distance = editDistance(wanted, key, limit)
    if (distance > limit) continue
    found = distance < limit ? [...names] : [...found, ...names]
    limit = distance
  }
  return [...new Set(found)].slice(0, MOST)
}
