// Colour levels of the year grid by quantiles, so that most days differ from each other even if one day has far more
// messages than the rest.

/** Days with `from` to `to` messages have the level, 1 to LEVELS. */
export type HeatRange = { from: number; to: number; level: number }

const LEVELS = 4

/** The ranges of the legend, lowest first: each has about a quarter of the days that have messages. */
export function heatRanges(counts: readonly number[]): HeatRange[] {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b)
  if (sorted.length === 0) return []
  const quantiles = Array.from({ length: LEVELS }, (_, i) => {
    return sorted[Math.ceil(((i + 1) / LEVELS) * sorted.length) - 1]!
  })
  const bounds = [...new Set(quantiles)]
  return bounds.map((to, i) => ({
    from: i === 0 ? sorted[0]! : bounds[i - 1]! + 1,
    to,
    level: Math.round(((i + 1) * LEVELS) / bounds.length),
  }))
}

/** 0 for a day without messages. */
export function levelOf(count: number, ranges: readonly HeatRange[]): number {
  return count === 0 ? 0 : (ranges.find(({ to }) => count <= to)?.level ?? LEVELS)
}

/** `1`, `2–9`, `1,200–4,000` */
export function rangeText({ from, to }: HeatRange): string {
  const text = (n: number) => n.toLocaleString('en')
  return from >= to ? text(to) : `${text(from)}–${text(to)}`
}
