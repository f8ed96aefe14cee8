// A timezone as users have it: the IANA name of a place, or UTC. Abbreviations and offsets are rejected, because they do not
// determine the clock changes where a person lives.
import { type TimezoneTable, tzdb } from './tzdb.ts'

declare const brand: unique symbol
export type Timezone = string & { readonly [brand]: 'Timezone' }

/** `asia/jakarta` gives `Asia/Jakarta`; `EST`, `PST`, `+07:00`, `local` and all texts outside the table give null. */
export function parseTimezone(text: string, table: TimezoneTable = tzdb): Timezone | null {
  const name = table.canonicalName(text) as Timezone | null
  return name !== null && isPlace(name) ? name : null
}

/**
 * Names of the IANA database that are abbreviations or fixed offsets. `EST` is UTC-5 all year: a person in New York would be
 * greeted at 10:00 in July. `GMT` is the winter time of London. UTC and its other names (Zulu, Universal, UCT) are accepted.
 */
const NO_PLACE = /^(Etc\/)?(GMT([+-]?\d+)?|Greenwich)$|^(CET|EET|EST|HST|MET|MST|WET)$|^[A-Z]{3}\d[A-Z]{3}$/

/** For a name of the table, in IANA spelling. */
export function isPlace(name: string): boolean {
  return !NO_PLACE.test(name)
}
