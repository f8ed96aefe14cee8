// Position of the sun, precise to half a degree: enough to shade the night on the map.
import { HEIGHT, longitudeOf, NORTH, SOUTH, WIDTH, yOf } from './projection.ts'

const DAY_MS = 86_400_000
const J2000 = Date.UTC(2000, 0, 1, 12)
const RADIANS = Math.PI / 180

type Sun = { declination: number; longitude: number }

/** The point with the sun overhead. */
export function sunAt(instant: number): Sun {
  const days = (instant - J2000) / DAY_MS
  const meanLongitude = (280.46 + 0.9856474 * days) * RADIANS
  const anomaly = (357.528 + 0.9856003 * days) * RADIANS
  const ecliptic = meanLongitude + (1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS
  const tilt = 23.439 * RADIANS
  const declination = Math.asin(Math.sin(tilt) * Math.sin(ecliptic))
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(ecliptic), Math.cos(ecliptic))
  const turned = (280.46061837 + 360.98564736629 * days) * RADIANS
  const longitude = ((((ascension - turned) / RADIANS) % 360) + 540) % 360
  return { declination: declination / RADIANS, longitude: longitude - 180 }
}

/** The night as an SVG path. */
export function nightPath(instant: number): string {
  const sun = sunAt(instant)
  // At an equinox the terminator runs through the poles, and its slope is infinite.
  const declination = Math.abs(sun.declination) < 0.3 ? 0.3 : sun.declination
  const points: string[] = []
  for (let x = 0; x <= WIDTH; x += 3) {
    const hourAngle = (longitudeOf(x) - sun.longitude) * RADIANS
    const latitude = Math.atan(-Math.cos(hourAngle) / Math.tan(declination * RADIANS)) / RADIANS
    points.push(`${x} ${yOf(Math.max(SOUTH, Math.min(NORTH, latitude))).toFixed(1)}`)
  }
  const edge = declination > 0 ? HEIGHT : 0
  return `M0 ${edge}L${points.join('L')}L${WIDTH} ${edge}Z`
}

/** The longitude with this mean solar time, in minutes of the day. */
export function meridianOf(minuteOfDay: number, instant: number): number {
  const utcMinutes = (((instant % DAY_MS) + DAY_MS) % DAY_MS) / 60_000
  const degrees = (minuteOfDay - utcMinutes) / 4
  return ((((degrees + 180) % 360) + 360) % 360) - 180
}
