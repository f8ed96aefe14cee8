// Finds time zones by city, country, abbreviation, IANA name or offset. Loaded when a time zone field is first used.
import { isPlace } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { ABBREVIATIONS, BY_POPULATION, PLACES } from '../../../src/domain/time/zone-nicknames.ts'
import { foldedKey, suggestZones } from '../../../src/domain/time/zone-suggestions.ts'
import countries from './countries.json' with { type: 'json' }
import { cityOf } from './format.ts'

/** `country` is empty for UTC and for old names. */
export type ZoneOption = { timezone: string; city: string; country: string }

const MOST = 8

/** The most likely first. Without a text, the zones with the most people. */
export function findZones(text: string, now: number): ZoneOption[] {
  const wanted = { key: foldedKey(text), spelt: text.trim().toLowerCase().replaceAll(' ', '_') }
  if (wanted.spelt === '') return optionsOf(BY_POPULATION.map(entryOf))
  const abbreviated = (ABBREVIATIONS.get(wanted.spelt.toUpperCase()) ?? []).map(entryOf)
  const named = entries()
    .map((entry) => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.entry.size - b.entry.size)
    .map(({ entry }) => entry)
  const found = optionsOf([...abbreviated, ...named])
  return found.length > 0 ? found : optionsOf(likelyZones(text, now).map(entryOf))
}

/** Up to three names that an unknown text may stand for. */
export function likelyZones(text: string, now: number): string[] {
  return suggestZones(text, { now, table: tzdb }).suggestions
}

type Entry = ZoneOption & {
  /** In lower case. */
  name: string
  cityKey: string
  /** The words of the city. */
  words: string[]
  countryKeys: string[]
  /** Other cities, and common names. */
  otherKeys: string[]
  /** The place among the zones by population. */
  size: number
}

const NO_MATCH = 6

function rankOf(entry: Entry, { key, spelt }: { key: string; spelt: string }): number {
  const { name, cityKey, words, countryKeys, otherKeys } = entry
  const begins = (one: string) => key !== '' && one.startsWith(key)
  if (name === spelt || [cityKey, ...countryKeys, ...otherKeys].includes(key)) return 0
  if (begins(cityKey)) return 1
  if (countryKeys.some(begins)) return 2
  if (otherKeys.some(begins)) return 3
  if (words.some(begins)) return 4
  return name.includes(spelt) ? 5 : NO_MATCH
}

/** Without old names that have the rules of a zone that is listed, such as Asia/Calcutta beside Asia/Kolkata. */
function optionsOf(found: readonly Entry[]): ZoneOption[] {
  const options: ZoneOption[] = []
  for (const { timezone, city, country } of found) {
    const isListed = options.some(
      (other) =>
        other.timezone === timezone ||
        (country === '' && tzdb.rules(other.timezone) === tzdb.rules(timezone)),
    )
    if (!isListed) options.push({ timezone, city, country })
    if (options.length === MOST) break
  }
  return options
}

/** Old names of regions, and nautical zones. */
const NO_CITY = /^(Etc|US|Canada|Mexico|Brazil|Chile)\/|^(?!UTC$)[^/]*$/

/** Names in use beside the one of the browser. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  CI: 'ivorycoast',
  CZ: 'czechrepublic',
  GB: 'britain',
  MM: 'burma',
  MO: 'macau',
  SZ: 'swaziland',
  TL: 'easttimor',
  TR: 'turkey',
}

let cached: Entry[] | null = null

function entries(): Entry[] {
  cached ??= tzdb
    .zones()
    .filter((name) => isPlace(name) && !NO_CITY.test(name))
    .map(entryOf)
  return cached
}

const byZone: Readonly<Record<string, string>> = countries
const names = new Intl.DisplayNames('en', { type: 'region' })
const sizes = new Map(BY_POPULATION.map((name, index) => [name, index]))
const nicknames = Map.groupBy(
  [...PLACES].flatMap(([key, zones]) => zones.map((zone) => ({ key, zone }))),
  ({ zone }) => zone,
)

function entryOf(timezone: string): Entry {
  const city = cityOf(timezone)
  const codes = byZone[timezone]?.split(' ') ?? []
  // Only the country of the city: the people of another one have a zone of their own, if only by name.
  const country = codes[0] === undefined ? '' : (names.of(codes[0]) ?? '')
  return {
    timezone,
    city,
    country,
    name: timezone.toLowerCase(),
    cityKey: foldedKey(city),
    words: city.split(/[\s-]/).map(foldedKey),
    countryKeys: [country, ALSO_CALLED[codes[0] ?? ''] ?? ''].filter(Boolean).map(foldedKey),
    otherKeys: (nicknames.get(timezone) ?? []).map(({ key }) => key),
    size: sizes.get(timezone) ?? BY_POPULATION.length,
  }
}
