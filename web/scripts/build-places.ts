// Writes src/map/places.json: where the city of each timezone is, in whole degrees, links beside what they stand for.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Meta = { zones: Record<string, { lat: number; long: number }> }
type Table = { zones: Record<string, string>; links: Record<string, string> }

const require = createRequire(import.meta.url)
const meta: Meta = require('moment-timezone/data/meta/latest.json')
const table: Table = JSON.parse(
  readFileSync(new URL('../../src/domain/time/tzdb.json', import.meta.url), 'utf8'),
)

// The table calls some zones by an older name and links the newer one to it, so look through the link both ways.
const groups = new Map<string, Set<string>>()
for (const name of Object.keys(table.zones)) groups.set(name, new Set([name]))
for (const [link, target] of Object.entries(table.links)) groups.get(target)?.add(link)

const places: Record<string, string> = {}
for (const names of groups.values()) {
  // Where one rule serves several countries, an old alias such as Iceland could be in any of them: it gets no place.
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
 * To half a degree. The source adds the minutes of western and southern places where they are to be taken away: Denver,
 * at 104°59' west, is at -104 + 0.98 there.
 */
function halves(degrees: number): number {
  const whole = Math.ceil(Math.abs(degrees))
  const meant = degrees < 0 ? -(whole + (whole - Math.abs(degrees))) : degrees
  return Math.round(meant * 2) / 2
}

const file = new URL('../src/map/places.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(places, null, 2)}\n`)
