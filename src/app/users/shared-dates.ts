// Dates of birth that so many rows of a file share that they seem to stand for a missing date, such as 1900-01-01.

export type SharedDate = { date: string; people: number }

/** Of the rows of a file, and at least as many. By chance 366 days are shared by a quarter of a percent each. */
const [SHARE, LEAST] = [0.01, 10]
/** A file may have any dates: more different ones are not counted. */
const MOST_COUNTED = 50_000

export function countDates() {
  const counts = new Map<string, number>()
  return {
    add(date: string | null): void {
      if (date === null || (counts.size === MOST_COUNTED && !counts.has(date))) return
      counts.set(date, (counts.get(date) ?? 0) + 1)
    },
    /** The most frequent one first. */
    sharedBy(rows: number): SharedDate[] {
      const shared = [...counts].filter(([, people]) => people >= LEAST && people > rows * SHARE)
      return shared.map(([date, people]) => ({ date, people })).sort((a, b) => b.people - a.people)
    },
  }
}
