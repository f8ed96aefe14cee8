// The version of this package, as its package.json says.
import { readFileSync } from 'node:fs'

/** Defined by scripts/bundle-library.ts: an application may bundle the library. */
declare const TERCE_VERSION: string | undefined

export const VERSION: string = typeof TERCE_VERSION === 'undefined' ? readVersion() : TERCE_VERSION

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version
}
