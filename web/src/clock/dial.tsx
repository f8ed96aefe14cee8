// A small clock face, coloured by day or night.

type DialProps = { minuteOfDay: number; size?: number }

function isDay(minuteOfDay: number): boolean {
  return minuteOfDay >= 360 && minuteOfDay < 1_200
}

/** Decorative: the time stands beside it in digits. */
export function Dial({ minuteOfDay, size = 14 }: DialProps) {
  const hourTurn = (minuteOfDay / 720) * 360
  const minuteTurn = ((minuteOfDay % 60) / 60) * 360
  const day = isDay(minuteOfDay)
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" className="shrink-0">
      <circle
        cx="8"
        cy="8"
        r="7"
        className={day ? 'fill-accent-wash stroke-accent' : 'fill-raised stroke-soft'}
        strokeWidth="1"
      />
      <g className={day ? 'stroke-accent' : 'stroke-soft'} strokeLinecap="round">
        <path d="M8 8V4.6" strokeWidth="1.5" transform={`rotate(${hourTurn} 8 8)`} />
        <path d="M8 8V2.8" strokeWidth="1" transform={`rotate(${minuteTurn} 8 8)`} />
      </g>
    </svg>
  )
}
