// The name of a place's clock, in IANA spelling. Refuses abbreviations and offsets: they do not know the law.
import { type TimezoneTable, tzdb } from './tzdb.ts'

declare const brand: unique symbol
export type Timezone = string & { readonly [brand]: 'Timezone' }

/** `asia/jakarta` gives `Asia/Jakarta`; `PST`, `+07:00`, `local` and everything else outside the table give null. */
export function parseTimezone(text: string, table: TimezoneTable = tzdb): Timezone | null {
  return table.canonicalName(text) as Timezone | null
}
