// The preview exported as a test.
import { describe, expect, it } from 'vitest'
import * as core from '../../../../src/domain/core.ts'
import { ruleFrom, yearsAhead } from '../../../../web/src/pages/time-machine/forecast.ts'
import { testCaseOf } from '../../../../web/src/pages/time-machine/test-case.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

describe('an exported test', () => {
  it('expects what terce/core returns, and imports only names that it exports', () => {
    const rule = ruleFrom({ date: '1992-02-29', timezone: 'america/vancouver', localTime: '', leapDay: '' })!
    const text = testCaseOf(rule, yearsAhead(rule, NOW).slice(0, 3))
    const names = /import \{ (.*) \} from 'terce\/core'/.exec(text)![1]!.split(', ')
    expect(names.filter((name) => !(name in core))).toEqual([])
    const rows = [...text.matchAll(/\[(\d+), '(.*)', '(.*)'\],/g)]
    expect(rows).toHaveLength(3)
    for (const [, year, utc, local] of rows) {
      const { instant, offsetMinutes } = core.occurrenceInYear(rule, Number(year))
      expect([core.formatInstant(instant), core.formatLocal(instant, offsetMinutes * 60)]).toEqual([
        utc,
        local,
      ])
    }
  })
})
