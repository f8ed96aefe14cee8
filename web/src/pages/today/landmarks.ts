// Well-known places, for the hours in which nobody lives where the delivery time has just passed.
import { offsetIn } from '../../clock/format.ts'
import { minutesSinceDelivery } from '../../clock/since-delivery.ts'

/** Every hour of every day of the year has a place here, with and without daylight saving time. */
const LANDMARKS = [
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Asia/Jakarta',
  'Asia/Kolkata',
  'Asia/Karachi',
  'Asia/Dubai',
  'Europe/Istanbul',
  'Africa/Cairo',
  'Europe/Paris',
  'Europe/London',
  'Atlantic/Azores',
  'America/Nuuk',
  'America/Noronha',
  'America/Sao_Paulo',
  'America/Halifax',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'Pacific/Pago_Pago',
  'Pacific/Auckland',
  'Pacific/Noumea',
  'Australia/Sydney',
  'Asia/Dhaka',
  'Africa/Nairobi',
  'Pacific/Tongatapu',
  'Pacific/Kiritimati',
  'Australia/Brisbane',
  'Africa/Johannesburg',
  'Pacific/Fiji',
  'Pacific/Gambier',
] as const

/** The places where the delivery time was less than an hour ago. */
export function landmarksAt(now: number, deliverAt: number): string[] {
  return LANDMARKS.filter((zone) => minutesSinceDelivery(now, offsetIn(zone, now), deliverAt) < 60)
}
