// The map: land, locations of time zones, and the sun.
import { describe, expect, it } from 'vitest'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { isLand } from '../../../web/src/map/coast.ts'
import { nearestZone, placeOf } from '../../../web/src/map/places.ts'
import { meridianOf, sunAt } from '../../../web/src/map/sun.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

describe('the map', () => {
  it('has land at cities, and sea between continents', () => {
    const cities = ['Europe/Berlin', 'Asia/Kolkata', 'America/Denver', 'Africa/Nairobi', 'Australia/Adelaide']
    for (const city of cities) {
      const { longitude, latitude } = placeOf(city)!
      expect([city, isLand(longitude, latitude)]).toEqual([city, true])
    }
    for (const [longitude, latitude] of [
      [-40, 30],
      [-150, 0],
      [80, -30],
      [0, 0],
      [35, 43],
      [-86, 58],
    ]) {
      expect([longitude, latitude, isLand(longitude!, latitude!)]).toEqual([longitude, latitude, false])
    }
  })

  it('assigns the right time zone to a point on land', () => {
    const clock = (longitude: number, latitude: number) =>
      tzdb.zone(nearestZone(longitude, latitude)).offsetMsAt(NOW) / 3_600_000
    expect(clock(77, 28)).toBe(5.5)
    expect(clock(88, 42)).toBe(8)
    expect(clock(10, 51)).toBe(1)
    expect(clock(-100, 40)).toBe(-6)
    expect(clock(122, -28)).toBe(8)
  })

  it('has a location for almost every time zone with a city', () => {
    const cities = tzdb
      .zones()
      .filter((name) => /^(Africa|America|Asia|Europe|Australia|Pacific)\//.test(name))
    const lost = cities.filter((name) => placeOf(name) === null)
    // Old aliases of zones that were merged with a neighbour.
    expect(lost.length).toBeLessThan(15)
  })

  it('calculates the position of the sun', () => {
    expect(sunAt(Date.UTC(2026, 5, 21, 12)).declination).toBeCloseTo(23.4, 1)
    expect(sunAt(Date.UTC(2026, 2, 20, 12)).longitude).toBeCloseTo(1.8, 0)
    expect(meridianOf(540, Date.UTC(2026, 0, 1, 9))).toBe(0)
    expect(meridianOf(540, Date.UTC(2026, 0, 1, 11))).toBe(-30)
  })
})
