// The land as dots grouped by time zone. Calculated once, when the map is first drawn.
import { isLand } from './coast.ts'
import { cities, nearestZone, offsetMinutesAt } from './places.ts'
import { HEIGHT, longitudeOf, NORTH, WIDTH, xOf, yOf } from './projection.ts'

/** Degrees between dots. */
export const STEP = 2.2

type Dots = { timezone: string; path: string }

/** One path for each zone: a zone changes colour as a whole, so an hour change redraws few paths. */
const dotsByZone: () => readonly Dots[] = once(() => {
  const paths = new Map<string, string[]>()
  const add = (timezone: string, x: number, y: number) => {
    const path = paths.get(timezone) ?? []
    paths.set(timezone, path)
    // A zero-length line with round ends draws a dot.
    path.push(`M${x.toFixed(1)} ${y.toFixed(1)}h0`)
  }
  const covered = new Set<string>()
  let row = 0
  for (let y = STEP; y < HEIGHT; y += STEP * 0.9, row++) {
    for (let x = row % 2 === 0 ? STEP / 2 : STEP; x < WIDTH; x += STEP) {
      const [longitude, latitude] = [longitudeOf(x), NORTH - y]
      if (!isLand(longitude, latitude)) continue
      covered.add(`${Math.round(x / 5)} ${Math.round(y / 5)}`)
      add(nearestZone(longitude, latitude), x, y)
    }
  }
  for (const { timezone, longitude, latitude } of cities) {
    const [x, y] = [xOf(longitude), yOf(latitude)]
    if (y > HEIGHT || y < 0 || covered.has(`${Math.round(x / 5)} ${Math.round(y / 5)}`)) continue
    add(timezone, x, y)
  }
  return [...paths].map(([timezone, path]) => ({ timezone, path: path.join('') }))
})

/** One path for each UTC offset at that instant. */
export function dotsByOffset(instant: number): Map<number, string> {
  const byOffset = new Map<number, string>()
  for (const { timezone, path } of dotsByZone()) {
    const offset = offsetMinutesAt(timezone, instant)
    byOffset.set(offset, (byOffset.get(offset) ?? '') + path)
  }
  return byOffset
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
