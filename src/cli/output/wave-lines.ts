// Draws the table of `terce wave`: one line per hour, with a bar if there is room.
import type { components } from '../../client/client.ts'
import { formatInstant, formatOffset } from '../../domain/time/timestamp.ts'
import { type Paint, plain } from './colour.ts'
import { countPeople, grouped, shortDuration } from './words.ts'

export type TodayJson = components['schemas']['Today']

type Hour = {
  at: number
  sent: number
  inFlight: number
  failed: number
  remaining: number
  offsets: Set<number>
}

const HOUR_MS = 3_600_000
const BACK = 11
const HOURS = 24

/** Without a width: a plain table without bars. */
export function waveLines(today: TodayJson, width: number | null, paint: Paint = plain): string[] {
  const hours = hoursOf(today)
  const most = Math.max(1, ...hours.map(totalOf))
  const now = Date.parse(today.now)
  const room = width === null ? 0 : Math.max(0, Math.min(60, width - HEAD.length - 3))
  const lines = hours.map((hour) => {
    const { sent, inFlight, failed, remaining } = hour
    const mark = now >= hour.at && now < hour.at + HOUR_MS ? '>' : ' '
    const numbers = [sent, inFlight, failed, remaining].map((count) => (count === 0 ? '.' : grouped(count)))
    const row = `${mark}${formatInstant(hour.at).slice(5, 16).replace('T', ' ')}  ${clocksOf(hour).padEnd(17)}${numbers.map((text) => text.padStart(10)).join('')}`
    return [{ text: row }, ...(room === 0 ? [] : [{ text: '  ' }, ...barOf(hour, most, room)])]
  })
  const foot = ['', ...footOf(today)].map((text) => [{ text }])
  const whole: Piece[][] = [[{ text: HEAD }], ...lines, ...foot, ...(room > 0 ? [LEGEND] : [])]
  return whole.map((pieces) => lineOf(pieces, width ?? Number.POSITIVE_INFINITY, paint))
}

type Piece = { text: string; style?: (typeof STYLES)[keyof typeof STYLES] }

/** Cuts a line to the width: a line that wraps would shift the drawing. Colours are added last, as they have no width. */
function lineOf(pieces: readonly Piece[], width: number, paint: Paint): string {
  let left = width
  const shown = pieces.map(({ text, style }) => {
    const cut = text.slice(0, left)
    left -= cut.length
    return style === undefined || cut === '' ? cut : paint(style, cut)
  })
  return shown.join('').trimEnd()
}

const HEAD = ` UTC          UTC offset        ${['sent', 'in flight', 'failed', 'scheduled'].map((word) => word.padStart(10)).join('')}`

function hoursOf({ now, wave }: TodayJson): Hour[] {
  const first = Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS - BACK * HOUR_MS
  const hours = Array.from({ length: HOURS }, (_, i): Hour => {
    return { at: first + i * HOUR_MS, sent: 0, inFlight: 0, failed: 0, remaining: 0, offsets: new Set() }
  })
  for (const { dueAt, offsetMinutes, ...counts } of wave) {
    const hour = hours[Math.floor((Date.parse(dueAt) - first) / HOUR_MS)]
    if (hour === undefined) continue
    for (const name of ['sent', 'inFlight', 'failed', 'remaining'] as const) hour[name] += counts[name]
    hour.offsets.add(offsetMinutes)
  }
  return hours
}

const totalOf = ({ sent, inFlight, failed, remaining }: Hour) => sent + inFlight + failed + remaining

/** `-07:00`, or the first of several offsets and the number of the others. */
function clocksOf({ offsets }: Hour): string {
  const [first, second, ...more] = [...offsets]
    .sort((a, b) => a - b)
    .map((minutes) => formatOffset(minutes * 60))
  if (first === undefined) return ''
  return second === undefined
    ? first
    : more.length === 0
      ? `${first} ${second}`
      : `${first} and ${more.length + 1}`
}

const MARKS = { sent: '█', inFlight: '▓', failed: 'x', remaining: '░' } as const

const STYLES = { sent: 'green', inFlight: 'cyan', failed: 'red', remaining: 'dim' } as const
const WORDS = { sent: 'sent', inFlight: 'in flight', failed: 'failed', remaining: 'scheduled' } as const
const NAMES = Object.keys(MARKS) as (keyof typeof MARKS)[]

/** A count above zero has a bar of at least one character. */
function barOf(hour: Hour, most: number, room: number): Piece[] {
  return NAMES.map((name) => {
    const length = hour[name] === 0 ? 0 : Math.max(1, Math.round((hour[name] / most) * room))
    return { text: MARKS[name].repeat(length), style: STYLES[name] }
  })
}

const LEGEND: Piece[] = NAMES.flatMap((name) => [
  { text: MARKS[name], style: STYLES[name] },
  { text: ` ${WORDS[name]}  ` },
])

function footOf({ counts, lateness }: TodayJson): string[] {
  const { people, sent24h, failed24h, inFlight, waiting } = counts
  const delay = lateness === null ? '' : ` (p95 delay ${shortDuration(lateness.p95Ms)})`
  return [
    `${countPeople(people)}, ${grouped(inFlight)} in flight, ${grouped(waiting)} waiting.`,
    `Last 24 hours: ${grouped(sent24h)} sent${delay}, ${grouped(failed24h)} failed.`,
  ]
}
