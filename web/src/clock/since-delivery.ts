// How long ago the delivery time was at an offset.
import { wallAt } from './format.ts'

/** Minutes since the last delivery time at this offset, 0 to 1439. */
export function minutesSinceDelivery(now: number, offsetMinutes: number, deliverAt: number): number {
  return (wallAt(now, offsetMinutes).minuteOfDay - deliverAt + 1_440) % 1_440
}
