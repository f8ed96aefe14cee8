// Exceptions of an occurrence, such as a leap day or a clock change.

const NAMES: Record<string, string> = {
  LEAP_DAY_MOVED: 'leap day',
  CLOCK_GAP: 'time skipped',
  CLOCK_OVERLAP: 'time repeated',
  DATE_SKIPPED: 'date skipped',
  OFFSET_CHANGED: 'offset changed',
  CALENDAR_MOVED: 'calendar',
}

export function Notes({ notes }: { notes: readonly { code: string; text: string }[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="mt-0.5 space-y-0.5">
      {notes.map(({ code, text }) => (
        <li key={code} className="text-xs">
          <span className="mr-1.5 rounded border border-accent/50 px-1 text-2xs text-accent">
            {NAMES[code] ?? code}
          </span>
          <span className="text-soft">{text}</span>
        </li>
      ))}
    </ul>
  )
}
