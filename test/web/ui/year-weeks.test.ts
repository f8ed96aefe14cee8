// The weeks and month labels of the year grid.
import { describe, expect, it } from 'vitest'
import { yearWeeks } from '../../../web/src/ui/year-weeks.ts'

const DAY = 86_400_000
const datesOf = (first: string) => yearWeeks(first).flatMap(({ dates }) => dates)

describe('the year grid', () => {
  it('has weeks from Monday to Sunday with the dates of a year and a day', () => {
    const [week] = yearWeeks('2026-11-04')
    expect(week).toMatchObject({ monday: Date.parse('2026-11-02'), label: 'Nov' })
    expect(week!.dates.slice(0, 4)).toEqual([null, null, '2026-11-04', '2026-11-05'])
    const dates = datesOf('2026-11-04').filter((date) => date !== null)
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([367, '2026-11-04', '2027-11-05'])
  })

  it('labels its first month, and never two neighbouring weeks, on every day of four years', () => {
    const wrong: string[] = []
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2030, 0, 1); at += DAY) {
      const first = new Date(at).toISOString().slice(0, 10)
      const labels = yearWeeks(first).map(({ label }) => label)
      const month = new Date(at).toUTCString().slice(8, 11)
      const shown = labels.flatMap((label, week) => (label === '' ? [] : [week]))
      const isNeighbour = shown.some((week, i) => i > 0 && week - shown[i - 1]! < 2)
      if (labels[0] !== month || isNeighbour || shown.length < 12) wrong.push(first)
    }
    expect(wrong).toEqual([])
  })
})
