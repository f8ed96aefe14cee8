import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { REFERENCE_STYLE } from '../../../src/http/reference/style.ts'

const theme = readFileSync(new URL('../../../web/src/theme.css', import.meta.url), 'utf8')

/** The values of each custom property, in order of appearance. */
function propertiesOf(css: string): Map<string, Set<string>> {
  const all = [...css.matchAll(/--([\w-]+):\s*([^;}]+?)\s*[;}]/g)]
  const values = Map.groupBy(all, ([, name]) => name!)
  return new Map(
    [...values].map(([name, found]) => [
      name,
      new Set(found.map(([, , value]) => value!.replaceAll(/\s+/g, ' '))),
    ]),
  )
}

it('the reference has the colours and fonts of the dashboard, light and dark', () => {
  const own = propertiesOf(REFERENCE_STYLE)
  const ofDashboard = propertiesOf(theme)
  expect(own.size).toBeGreaterThan(12)
  for (const [name, values] of own) expect([name, ofDashboard.get(name)]).toEqual([name, values])
})
