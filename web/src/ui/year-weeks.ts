// The weeks of the year grid: which dates they show, and which month stands above them.

const DAY = 86_400_000
const DAYS = 367
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type GridWeek = {
  monday: number
  /** The month that begins in this week, or with which the grid begins; empty in all other weeks. */
  label: string
  /** Monday to Sunday; null for a day before or after the year. */
  dates: (string | null)[]
}

/** A year and a day from `first` on. Two labels never stand above neighbouring weeks, where they would overlap. */
export function yearWeeks(first: string): GridWeek[] {
  const from = Date.parse(first)
  const last = from + (DAYS - 1) * DAY
  const firstMonday = from - weekdayOf(from) * DAY
  // Empty weeks before a month that is nearly over, so that its label fits.
  const nextMonth = Date.UTC(Number(first.slice(0, 4)), Number(first.slice(5, 7)), 1)
  const weeksLeft = Math.floor((nextMonth - firstMonday) / (7 * DAY))
  const start = firstMonday - Math.max(0, 2 - weeksLeft) * 7 * DAY
  const weeks: GridWeek[] = []
  for (let monday = start; monday <= last; monday += 7 * DAY) {
    const dates = Array.from({ length: 7 }, (_, day) => monday + day * DAY)
    const begins = dates.find((date) => date > from && new Date(date).getUTCDate() === 1)
    weeks.push({
      monday,
      label: weeks.length === 0 ? monthOf(from) : begins === undefined ? '' : monthOf(begins),
      dates: dates.map((date) => (date < from || date > last ? null : isoDate(date))),
    })
  }
  return weeks
}

export function isoDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function monthOf(at: number): string {
  return MONTHS[new Date(at).getUTCMonth()]!
}

/** 0 for Monday. */
function weekdayOf(at: number): number {
  return (new Date(at).getUTCDay() + 6) % 7
}
