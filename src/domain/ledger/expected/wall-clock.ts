// The wall clock of a place, read from the text of its zone rules. Shares that text with the planner, and no code.

/** A wall time is written as if it were UTC, in milliseconds. */
export type WallClock = {
  /** A wall time that the clock skips moves forward by the jump; of a wall time that occurs twice, the first is meant. */
  instantOf(wallMs: number): number
  wallAt(instant: number): number
}

const clocks = new Map<string, WallClock>()
/** More than a timezone table has zones. */
const MAX_CLOCKS = 1_000

/** `rules`: `offsets in seconds|the offset of each period, as a base 36 digit|seconds from each period to the next, base 36`. */
export function readWallClock(rules: string): WallClock {
  let clock = clocks.get(rules)
  if (clock === undefined) {
    clock = clockOf(readPeriods(rules))
    if (clocks.size >= MAX_CLOCKS) clocks.clear()
    clocks.set(rules, clock)
  }
  return clock
}

/** `HH:MM` or `HH:MM:SS` in milliseconds. Character codes, because an account reads millions of times: no substring is made. */
export function timeOfDay(text: string): number {
  const digits = (at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
  return (digits(0) * 3600 + digits(3) * 60 + (text.length > 5 ? digits(6) : 0)) * 1000
}

/** Period i has `offsets[i]` from `begins[i]` until `begins[i + 1]`. */
type Periods = { begins: Float64Array; offsets: Float64Array }

function readPeriods(rules: string): Periods {
  const [seconds = '', digits = '', gaps = ''] = rules.split('|')
  const offsetOf = seconds.split(' ').map((text) => Number(text) * 1000)
  const offsets = Float64Array.from(digits, (digit) => offsetOf[Number.parseInt(digit, 36)] ?? Number.NaN)
  let at = 0
  const changes = gaps === '' ? [] : gaps.split(' ').map((gap) => (at += Number.parseInt(gap, 36) * 1000))
  const begins = Float64Array.of(Number.NEGATIVE_INFINITY, ...changes)
  if (begins.length !== offsets.length || offsets.some(Number.isNaN) || begins.some(Number.isNaN)) {
    throw new RangeError(`"${rules.slice(0, 60)}" are not the rules of a timezone.`)
  }
  return { begins, offsets }
}

function clockOf({ begins, offsets }: Periods): WallClock {
  const count = begins.length
  const largest = Math.max(...offsets)

  function periodAt(instant: number): number {
    let low = 0
    let high = count
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (begins[middle]! > instant) high = middle
      else low = middle
    }
    return low
  }

  return {
    wallAt: (instant) => instant + offsets[periodAt(instant)]!,
    instantOf(wallMs) {
      // No clock shows the wall time before this instant. From there the first period that shows it is searched.
      let period = periodAt(wallMs - largest)
      while (period + 1 < count && wallMs - offsets[period]! >= begins[period + 1]!) {
        // The next period begins with a later wall time: the clock skips this one.
        if (wallMs - offsets[period + 1]! < begins[period + 1]!) break
        period += 1
      }
      return wallMs - offsets[period]!
    },
  }
}
