// The preview as a test to run elsewhere.
import type { Explanation } from '../../../../src/domain/occasions/explain.ts'
import type { Rule } from './forecast.ts'

export function testCaseOf(rule: Rule, occurrences: readonly Explanation[]): string {
  const cases = occurrences.map(({ year, utc, local }) => `  [${year}, '${utc}', '${local}'],`).join('\n')
  return `import { formatInstant, formatLocal, occurrenceInYear } from 'terce/core'
import { expect, it } from 'vitest'

// Calculated with tz ${occurrences[0]?.tzVersion ?? ''}.
const rule = ${literal(rule)} as const

it.each([
${cases}
])('is due in %i at %s, local time %s', (year, utc, local) => {
  const { instant, offsetMinutes } = occurrenceInYear(rule, year)
  expect(formatInstant(instant)).toBe(utc)
  expect(formatLocal(instant, offsetMinutes * 60)).toBe(local)
})
`
}

export function jsonCaseOf(rule: Rule, occurrences: readonly Explanation[]): string {
  const expected = occurrences.map(({ year, utc, local, notes }) => ({ year, utc, local, notes }))
  return JSON.stringify({ rule, tzVersion: occurrences[0]?.tzVersion, occurrences: expected }, null, 2)
}

function literal(rule: Rule): string {
  const fields = Object.entries(rule).map(
    ([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "'")}`,
  )
  return `{ ${fields.join(', ')} }`
}
