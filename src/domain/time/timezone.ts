// A timezone name in IANA spelling. Abbreviations and offsets are rejected: they do not determine clock changes.
import { type TimezoneTable, tzdb } from './tzdb.ts'

declare const brand: unique symbol
export type Timezone = string & { readonly [brand]: 'Timezone' }

/** `asia/jakarta` gives `Asia/Jakarta`; `PST`, `+07:00`, `local` and all other texts outside the table give null. */
export function parseTimezone(text: string, table: TimezoneTable = tzdb): Timezone | null {
  return table.canonicalName(text) as Timezone | null
}
