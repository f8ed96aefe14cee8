// Headline of Today: where the delivery time has just passed, and the next messages.
import type { Today } from '../../api/types.ts'
import { cityOf, count, durationText, listText, offsetIn, utcText, wallAt } from '../../clock/format.ts'
import { minutesSinceDelivery } from '../../map/world-map.tsx'

/** Well-known cities, at least one for each hour, for hours without people. */
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
] as const

export function Headline({ today, now, deliverAt }: { today: Today; now: number; deliverAt: number }) {
  const here = today.zones.filter(
    ({ offsetMinutes }) => minutesSinceDelivery(now, offsetMinutes, deliverAt) < 60,
  )
  const cities =
    here.length > 0
      ? [...here].sort((a, b) => b.people - a.people).map(({ timezone }) => cityOf(timezone))
      : LANDMARKS.filter((zone) => minutesSinceDelivery(now, offsetIn(zone, now), deliverAt) < 60).map(cityOf)
  const { time } = wallAt(deliverAt * 60_000, 0)
  return (
    <div>
      <h1 className="font-serif text-[1.65rem] leading-tight tracking-tight md:text-[2rem]">
        {cities.length === 0 ? (
          <>Waiting for the next {time}.</>
        ) : (
          <>
            {time} has just passed in <span className="text-accent">{shortList(cities)}</span>.
          </>
        )}
      </h1>
      <p className="mt-1.5 text-soft">
        <NextMessages today={today} now={now} />
      </p>
    </div>
  )
}

function NextMessages({ today, now }: { today: Today; now: number }) {
  const next = today.wave
    .filter(({ dueAt, toCome }) => toCome > 0 && Date.parse(dueAt) > now)
    .sort((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt))[0]
  if (next === undefined) return <>No messages in the next 24 hours.</>
  const due = Date.parse(next.dueAt)
  const places = today.zones
    .filter(({ offsetMinutes }) => offsetMinutes === next.offsetMinutes)
    .map(({ timezone }) => cityOf(timezone))
  const where = places.length === 0 ? '' : ` in ${shortList(places)}`
  return (
    <>
      Next: {count(next.toCome, 'message')}
      {where} in <span className="text-ink">{durationText(due - now)}</span>, at {utcText(due)}.
    </>
  )
}

function shortList(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  return distinct.length <= 3
    ? listText(distinct)
    : `${distinct.slice(0, 2).join(', ')} and ${distinct.length - 2} more places`
}
