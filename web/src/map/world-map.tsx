// The world map: land where the delivery time passed within the last hour is lit, circles mark people.
import { memo, useMemo } from 'react'
import { cityOf, count, durationText, offsetText, wallAt } from '../clock/format.ts'
import { minutesSinceDelivery } from '../clock/since-delivery.ts'
import { dotsByOffset } from './dots.ts'
import { placeOf } from './places.ts'
import { HEIGHT, WIDTH, xOf, yOf } from './projection.ts'
import { meridianOf, nightPath } from './sun.ts'

type ZonePeople = { timezone: string; offsetMinutes: number; people: number }
export type Spark = { id: string; timezone: string; failed: boolean }

type WorldMapProps = {
  /** Rounded to the minute. */
  now: number
  /** The minute of the local day at which messages go out. */
  deliverAt: number
  zones: readonly ZonePeople[]
  sparks: readonly Spark[]
}

const HOUR = 3_600_000
/** Half the width of the time at the line, on a phone: nearer to an edge it would be cut. */
const LABEL_ROOM = 12

export function WorldMap({ now, deliverAt, zones, sparks }: WorldMapProps) {
  const hour = Math.floor(now / (HOUR / 4))
  const night = useMemo(() => nightPath(now), [now])
  const sunX = xOf(meridianOf(deliverAt, now))
  const label = wallAt(deliverAt * 60_000, 0).time
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`World map. Land where ${label} passed within the last hour is lit. Circles mark ${count(zones.length, 'time zone')} with people.`}
      className="block w-full select-none"
    >
      <path d={night} className="fill-night" />
      <Land quarter={hour} now={now} deliverAt={deliverAt} />
      <g className="stroke-accent-fill">
        <path d={`M${sunX.toFixed(1)} 5V${HEIGHT}`} strokeWidth="0.35" strokeDasharray="1.2 1.2" />
        <text
          x={Math.min(Math.max(sunX, LABEL_ROOM), WIDTH - LABEL_ROOM)}
          y="0.8"
          textAnchor="middle"
          dominantBaseline="hanging"
          className="fill-accent stroke-none font-medium text-[4px] max-md:text-[8px]"
        >
          {label}
        </text>
      </g>
      {zones.map((zone) => (
        <Ring key={zone.timezone} zone={zone} now={now} deliverAt={deliverAt} />
      ))}
      {sparks.map(({ id, timezone, failed }) => {
        const place = placeOf(timezone)
        if (place === null) return null
        return (
          <circle
            key={id}
            cx={xOf(place.longitude)}
            cy={yOf(place.latitude)}
            r="1.4"
            className={`animate-spark fill-none ${failed ? 'stroke-failed-fill' : 'stroke-accent-fill'}`}
            strokeWidth="0.35"
          />
        )
      })}
    </svg>
  )
}

type LandProps = { quarter: number; now: number; deliverAt: number }

/** Redrawn every quarter of an hour: offsets are multiples of 15 minutes. */
const Land = memo(
  function Land({ now, deliverAt }: LandProps) {
    return (
      <g strokeWidth="1.35" strokeLinecap="round" fill="none">
        {[...dotsByOffset(now)].map(([offset, path]) => (
          <path key={offset} d={path} className={lookOf(minutesSinceDelivery(now, offset, deliverAt))} />
        ))}
      </g>
    )
  },
  (before, after) => before.quarter === after.quarter && before.deliverAt === after.deliverAt,
)

function lookOf(minutes: number): string {
  if (minutes < 60) return 'stroke-accent-fill'
  if (minutes < 120) return 'stroke-trail'
  if (minutes < 180) return 'stroke-trail-far'
  return 'stroke-dot'
}

function Ring({ zone, now, deliverAt }: { zone: ZonePeople; now: number; deliverAt: number }) {
  const { timezone, offsetMinutes, people } = zone
  const place = placeOf(timezone)
  if (place === null) return null
  const since = minutesSinceDelivery(now, offsetMinutes, deliverAt)
  const { time } = wallAt(now, offsetMinutes)
  const deliveryTime = wallAt(deliverAt * 60_000, 0).time
  const tip = `${cityOf(timezone)}: ${count(people, 'person', 'people')}\nNow ${time}, ${offsetText(offsetMinutes)}\n${
    since < 720
      ? `${deliveryTime} was ${durationText(since * 60_000)} ago`
      : `${deliveryTime} is in ${durationText((1_440 - since) * 60_000)}`
  }`
  return (
    <circle
      cx={xOf(place.longitude)}
      cy={yOf(place.latitude)}
      r={Math.min(3.5, 0.9 + Math.sqrt(people) * 0.28)}
      data-tip={tip}
      strokeWidth="0.45"
      className={since < 60 ? 'fill-panel stroke-accent' : 'fill-panel stroke-soft'}
    />
  )
}
