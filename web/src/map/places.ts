// The location of each time zone's city, and the likely time zone of a point on land.
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import data from './places.json' with { type: 'json' }

export type Place = { timezone: string; longitude: number; latitude: number }

const placed = Object.entries(data as Record<string, string>).map(([at, names]) => {
  const [longitude, latitude] = at.split(',').map(Number) as [number, number]
  return { names: names.split(' '), longitude, latitude }
})

const byName = new Map(placed.flatMap((place) => place.names.map((name) => [name, place] as const)))

/** Null for a zone without a city, such as Etc/UTC. */
export function placeOf(timezone: string): { longitude: number; latitude: number } | null {
  return byName.get(timezone) ?? null
}

/** Zones smaller than a dot, or unofficial: the nearest-city rule would assign them too much land. */
const TOO_SMALL = new Set(['Asia/Urumqi', 'Australia/Eucla', 'Europe/Busingen', 'America/Creston'])

/** More points for large countries whose city lies at an edge. */
const ALSO: readonly Place[] = [
  ['Asia/Kolkata', 77, 28.6],
  ['Asia/Kolkata', 72.8, 19],
  ['Asia/Kolkata', 78.5, 15],
  ['Asia/Kolkata', 71, 25],
  ['Asia/Kolkata', 92.5, 26],
  ['Asia/Shanghai', 87.6, 43.8],
  ['Asia/Shanghai', 91, 30.5],
  ['Asia/Shanghai', 82, 35],
  ['Asia/Shanghai', 103, 36],
  ['Asia/Shanghai', 103, 26],
  ['Asia/Shanghai', 116, 42],
  ['Asia/Shanghai', 125, 45],
  ['Australia/Perth', 122, -18],
  ['Australia/Perth', 126, -28],
  ['Australia/Adelaide', 134, -29],
  ['Africa/Algiers', 5, 24],
  ['Africa/Cairo', 30, 24],
  ['Africa/Tripoli', 18, 26],
  ['Africa/Khartoum', 29, 16],
  ['Asia/Riyadh', 43, 20],
  ['Africa/Johannesburg', 21, -31],
  ['America/Chicago', -97, 41],
  ['America/Chicago', -98, 37],
  ['America/Chicago', -97, 32],
  ['America/New_York', -82, 34],
  ['America/Sao_Paulo', -48, -16],
  ['America/Lima', -73, -9],
  ['America/Bogota', -72, 2],
  ['Asia/Tehran', 58, 32],
  ['Africa/Luanda', 18, -12],
].map(([timezone, longitude, latitude]) => ({ timezone, longitude, latitude }) as Place)

const anchors: readonly Place[] = [
  ...placed
    .filter(({ names }) => !TOO_SMALL.has(names[0]!))
    .map(({ names, longitude, latitude }) => ({ timezone: names[0]!, longitude, latitude })),
  ...ALSO,
]

/** All cities, for islands smaller than a dot. */
export const cities: readonly Place[] = anchors

export function nearestZone(longitude: number, latitude: number): string {
  const shrink = Math.cos((latitude * Math.PI) / 180)
  let best = ''
  let least = Number.POSITIVE_INFINITY
  for (const place of anchors) {
    const across = Math.abs(place.longitude - longitude)
    const dx = Math.min(across, 360 - across) * shrink
    const dy = place.latitude - latitude
    const distance = dx * dx + dy * dy
    if (distance < least) {
      least = distance
      best = place.timezone
    }
  }
  return best
}

export function offsetMinutesAt(timezone: string, instant: number): number {
  return tzdb.zone(timezone).offsetMsAt(instant) / 60_000
}
