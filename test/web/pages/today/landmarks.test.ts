// The places that Today names while no person lives where the delivery time has just passed.
import { expect, it } from 'vitest'
import { landmarksAt } from '../../../../web/src/pages/today/landmarks.ts'

const HALF_HOUR = 30 * 60_000

it('include a place for every half-hour of a year, with and without daylight saving time', () => {
  const without: string[] = []
  for (let now = Date.UTC(2026, 0, 1); now < Date.UTC(2027, 0, 1); now += HALF_HOUR) {
    if (landmarksAt(now, 9 * 60).length === 0) without.push(new Date(now).toISOString())
  }
  expect(without).toEqual([])
})
