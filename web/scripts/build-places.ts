// Writes src/map/places.json: the location of each time zone's city in half degrees, links beside their targets. And
// src/clock/countries.json: the countries of each time zone, the country of its city first.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Meta = { zones: Record<string, { lat: number; long: number; countries: string[] }> }
type Table = { zones: Record<string, string>; links: Record<string, string> }

const require = createRequire(import.meta.url)
const meta: Meta = require('moment-timezone/data/meta/latest.json')
const table: Table = JSON.parse(
  readFileSync(new URL('../../src/domain/time/tzdb.json', import.meta.url), 'utf8'),
)

// The table has some zones under an older name with a link from the newer one, so follow links both ways.
const groups = new Map<string, Set<string>>()
for (const name of Object.keys(table.zones)) groups.set(name, new Set([name]))
for (const [link, target] of Object.entries(table.links)) groups.get(target)?.add(link)

const places: Record<string, string> = {}
for (const names of groups.values()) {
  // If one zone serves several countries, an old alias such as Iceland could be in any of them: it gets no location.
  const placed = [...names].filter((name) => name in meta.zones)
  const only = placed.length === 1 ? placed[0] : undefined
  for (const name of names) {
    const place = meta.zones[name] ?? (only === undefined ? undefined : meta.zones[only])
    if (place === undefined) continue
    const at = `${halves(place.long)},${halves(place.lat)}`
    places[at] = places[at] === undefined ? name : `${places[at]} ${name}`
  }
}

/**
 * Rounds to half a degree. The source adds the minutes of western and southern places where it should subtract them:
 * Denver, at 104°59' west, has -104 + 0.98 there.
 */
function halves(degrees: number): number {
  const whole = Math.ceil(Math.abs(degrees))
  const meant = degrees < 0 ? -(whole + (whole - Math.abs(degrees))) : degrees
  return Math.round(meant * 2) / 2
}

const countries = Object.entries(meta.zones).map(([name, zone]) => [name, zone.countries.join(' ')])

write('map/places.json', places)
write('clock/countries.json', Object.fromEntries(countries))

function write(path: string, data: Record<string, string>): void {
  writeFileSync(new URL(`../src/${path}`, import.meta.url), `${JSON.stringify(data, null, 2)}\n`)
}
