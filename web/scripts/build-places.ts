// Writes src/map/places.json: where the city of each timezone is, in whole degrees, links beside what they stand for.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Meta = { zones: Record<string, { lat: number; long: number }> }
type Table = { zones: Record<string, string>; links: Record<string, string> }

const require = createRequire(import.meta.url)
const meta: Meta = require('moment-timezone/data/meta/latest.json')
const table: Table = JSON.parse(readFileSync(new URL('../../src/domain/tzdb.json', import.meta.url), 'utf8'))

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
    const at = `${Math.round(place.long * 2) / 2},${Math.round(place.lat * 2) / 2}`
    places[at] = places[at] === undefined ? name : `${places[at]} ${name}`
  }
}

const file = new URL('../src/map/places.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(places, null, 1)}\n`)
