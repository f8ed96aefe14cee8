// The release of this package, and the order of releases.
import { readFileSync } from 'node:fs'

/** Defined by scripts/build-cloudflare.ts and bundle-library.ts: a bundle has no package.json beside it. */
declare const TERCE_VERSION: string | undefined

export const RELEASE: string = typeof TERCE_VERSION === 'undefined' ? readVersion() : TERCE_VERSION

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version
}

/** Whether a release is as new as another. Of a prerelease only the three numbers count. */
export function isAtLeast(release: string, other: string): boolean {
  const [a, b] = [numbersOf(release), numbersOf(other)]
  const first = a.findIndex((number, i) => number !== b[i])
  return first === -1 || a[first]! > b[first]!
}

function numbersOf(release: string): number[] {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(release)
  if (numbers === null) throw new Error(`"${release}" is not a release such as 0.2.0`)
  return numbers.slice(1).map(Number)
}
