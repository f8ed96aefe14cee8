// Suggests IANA names for an unknown timezone: an abbreviation, an offset, a place or a misspelling. The table decides which
// names exist and which offsets apply now.

import type { FieldProblem } from '../errors.ts'
import { bitsOf, editDistance, lettersOf } from './edit-distance.ts'
import type { TimezoneTable } from './tzdb.ts'
import { ABBREVIATIONS, BY_POPULATION, PLACES } from './zone-nicknames.ts'

/** At most three names, the most likely first, and a text that introduces them. Empty if there is no guess. */
type ZoneSuggestions = { suggestions: string[]; why: string }

const MAX_SUGGESTIONS = 3
/** A longer text is not a place name. */
const MAX_LENGTH = 80

export function suggestZones(text: string, at: { now: number; table: TimezoneTable }): ZoneSuggestions {
  const wanted = text.trim()
  if (wanted === '' || wanted.length > MAX_LENGTH) return { suggestions: [], why: '' }
  const index = indexOf(at.table)
  const abbreviated = known(index, ABBREVIATIONS.get(abbreviationIn(wanted)))
  if (abbreviated.length > 0) {
    const why =
      abbreviated.length > 1 ? 'It is the abbreviation of several:' : 'It is an abbreviation, as used in'
    return { suggestions: abbreviated, why }
  }
  const offsetMs = parseOffset(wanted)
  if (offsetMs !== null) {
    const why = 'An offset does not determine clock changes. Timezones with this offset now:'
    return { suggestions: placesAt(index, offsetMs, at.now), why }
  }
  return { suggestions: guessed(index, wanted), why: 'It may mean' }
}

const MAX_CACHED = 100

/** Cached: a file of people often repeats a mistake. */
function guessed(index: Index, text: string): string[] {
  const { cache } = index
  let found = cache.get(text)
  if (found === undefined) {
    found = named(index, text) ?? misspelt(index, text)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(text, found)
  }
  return [...found]
}

/** The problem of a field with an unknown timezone, with suggestions. */
export function unknownTimezone(
  field: string,
  text: string,
  at: { now: number; table: TimezoneTable },
): FieldProblem {
  const shown = text.slice(0, 60).replaceAll(/\p{Cc}/gu, ' ')
  const { suggestions, why } = suggestZones(text, at)
  // An IANA name that is no place, such as EST, is known, but does not say where the person lives.
  const isKnown = at.table.canonicalName(text) !== null
  const found = isKnown ? `"${shown}" is not the timezone of a place.` : `Unknown timezone "${shown}".`
  const remedy =
    suggestions.length === 0
      ? 'Use an IANA name such as Asia/Jakarta.'
      : `${why} ${listed(suggestions)}. Use ${isKnown ? 'the name of a place' : 'an IANA name'}.`
  return { field, code: 'UNKNOWN_TIMEZONE', message: `${found} ${remedy}` }
}

function listed(names: readonly string[]): string {
  const [last, ...others] = names.toReversed()
  return others.length === 0 ? last! : `${others.toReversed().join(', ')} or ${last}`
}

/** The names of a table by search key. */
type Index = {
  table: TimezoneTable
  names: readonly string[]
  byKey: ReadonlyMap<string, readonly string[]>
  /** Each key with its letters. */
  spellings: readonly { key: string; letters: number; names: readonly string[] }[]
  cache: Map<string, string[]>
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

/** Old names of regions, and nautical zones: not useful as suggestions. */
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
      // Two names with the same rules, such as Asia/Calcutta and Asia/Kolkata, are one suggestion.
      if (!same.some((other) => table.rules(other) === table.rules(name))) byKey.set(key, [...same, name])
    }
  }
  const spellings = [...byKey].map(([key, names]) => ({ key, letters: lettersOf(key), names }))
  return { table, names, byKey, spellings, cache: new Map() }
}

/** Letters and digits without accents: `São Paulo` and `Sao_Paulo` have the same key. */
export function foldedKey(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

function known({ table }: Index, names: readonly string[] = []): string[] {
  return names.filter((name) => table.canonicalName(name) !== null)
}

/** `GMT` for `Etc/GMT`, `GMT+0` and `Greenwich`. */
function abbreviationIn(text: string): string {
  const bare = text.replace(/^Etc\//i, '').toUpperCase()
  return /^(GMT[+-]?0|GREENWICH)$/.test(bare) ? 'GMT' : bare
}

/** `GMT+7`, `UTC-03:30`, `+0545`, and `Etc/GMT-7`, which is UTC+7; null for anything else. */
function parseOffset(text: string): number | null {
  const match = /^(Etc\/(?=GMT))?(?:UTC|GMT)?\s*([+\-−])\s*(\d{1,2})(?::?([0-5]\d))?$/i.exec(text)
  if (match === null) return null
  const [, inverted, sign, hours, minutes = '0'] = match
  const east = (sign === '+') === (inverted === undefined)
  return (east ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function placesAt({ table, names }: Index, offsetMs: number, now: number): string[] {
  const found: string[] = []
  for (const name of names) {
    if (table.zone(name).offsetMsAt(now) !== offsetMs) continue
    // Skip a small zone that repeats the rules of another, such as the old name Asia/Katmandu.
    const isRepeated = found.some((other) => table.rules(other) === table.rules(name))
    if (!isRepeated || BY_POPULATION.includes(name)) found.push(name)
    if (found.length === MAX_SUGGESTIONS) break
  }
  return found
}

/** Zones of a city, a country, or a list such as `(UTC+07:00) Bangkok, Hanoi, Jakarta`; null if no place is known. */
function named(index: Index, text: string): string[] | null {
  const bare = text.replace(/^\([^)]*\)\s*/, '')
  const found = [bare, ...bare.split(',')].flatMap((part) => placeNamed(index, part))
  return found.length === 0 ? null : [...new Set(found)].slice(0, MAX_SUGGESTIONS)
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

/** The nearest names within the allowed edit distance. */
function misspelt({ spellings }: Index, text: string): string[] {
  const wanted = foldedKey(text)
  let limit = wanted.length < 5 ? 0 : wanted.length < 8 ? 1 : 2
  let found: string[] = []
  if (limit === 0) return found
  const letters = lettersOf(wanted)
  for (const { key, letters: others, names } of spellings) {
    // One edit changes at most two letters of the set.
    if (bitsOf(letters ^ others) > 2 * limit) continue
    const distance = editDistance(wanted, key, limit)
    if (distance > limit) continue
    found = distance < limit ? [...names] : [...found, ...names]
    limit = distance
  }
  return [...new Set(found)].slice(0, MAX_SUGGESTIONS)
}
