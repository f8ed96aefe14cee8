// Time ranges of the typed query, such as `today`, `24h`, `+7d`, `2026-12-15` and `2026-12-01..2026-12-24`. Pure: now and
// the reader's UTC offset are arguments.

const MINUTE = 60_000
const DAY = 86_400_000
const UNIT_MS: Readonly<Record<string, number>> = { min: MINUTE, h: 60 * MINUTE, d: DAY }

/** A missing bound is open. */
export type Span = { from?: number; before?: number }

/** When and where the range is read. Dates are those of the reader. */
export type Reader = { now: number; offsetMinutes: number }

export const SPAN_EXAMPLES = [
  'today',
  'yesterday',
  'tomorrow',
  '24h',
  '7d',
  '+24h',
  '+7d',
  'past',
  'future',
  'all',
] as const

/** Null if the text is not a range. */
export function readSpan(text: string, reader: Reader): Span | null {
  const { now } = reader
  if (text === 'all') return {}
  if (text === 'past') return { before: now }
  if (text === 'future') return { from: now }
  const duration = /^(\+?)([1-9]\d{0,3})(min|h|d)$/.exec(text)
  if (duration !== null) {
    const ms = Number(duration[2]) * UNIT_MS[duration[3]!]!
    return duration[1] === '+' ? { from: now, before: now + ms } : { from: now - ms, before: now }
  }
  const [first, last, ...more] = text.split('..')
  if (last === undefined) return readPoint(text, reader)
  if (more.length > 0 || text === '..') return null
  const from = first === '' ? {} : readPoint(first!, reader)
  const before = last === '' ? {} : readPoint(last, reader)
  if (from === null || before === null) return null
  return {
    ...(from.from !== undefined && { from: from.from }),
    ...(before.before !== undefined && { before: before.before }),
  }
}

const DAYS_FROM_TODAY: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }

/** A day, a month, or a minute in UTC. */
function readPoint(text: string, { now, offsetMinutes }: Reader): Span | null {
  const offsetMs = offsetMinutes * MINUTE
  const days = DAYS_FROM_TODAY[text]
  if (days !== undefined) {
    const from = Math.floor((now + offsetMs) / DAY) * DAY + days * DAY - offsetMs
    return { from, before: from + DAY }
  }
  const minute = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(minute)) return { from: minute, before: minute + MINUTE }
  const date = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(text)
  if (date === null) return null
  const [year, month, day] = [
    Number(date[1]),
    Number(date[2]) - 1,
    date[3] === undefined ? null : Number(date[3]),
  ]
  const from = Date.UTC(year, month, day ?? 1)
  // 2026-02-30 would become 2 March.
  if (!new Date(from).toISOString().startsWith(text)) return null
  const before = day === null ? Date.UTC(year, month + 1, 1) : from + DAY
  return { from: from - offsetMs, before: before - offsetMs }
}
