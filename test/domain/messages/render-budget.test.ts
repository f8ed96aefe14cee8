// The limits of rendering: every allowed filter, operator and tag is charged, and a message ends when its budget is spent.
import { Liquid } from 'liquidjs'
import { describe, expect, it } from 'vitest'
import { TemplateError } from '../../../src/domain/errors.ts'
import { compileText, MARKS_MAX } from '../../../src/domain/messages/liquid.ts'
import { FILTERS_MAX } from '../../../src/domain/messages/liquid-check.ts'
import { TEMPLATE_MAX } from '../../../src/domain/messages/liquid-engine.ts'
import { FILTERS } from '../../../src/domain/messages/liquid-language.ts'
import { renderMailBody } from '../../../src/domain/messages/message.ts'
import {
  CPU_MAX_MS,
  RENDERED_MAX,
  RenderBudget,
  renderWithin,
  WORK_MAX,
} from '../../../src/domain/messages/render-budget.ts'
import { parseTemplateText } from '../../../src/domain/messages/template.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'

type Run = { budget: RenderBudget; made: string; error: unknown }

function run(text: string, firstName: string): Run {
  const budget = new RenderBudget()
  const values: Record<string, string> = { firstName, localDate: '2026-12-05' }
  try {
    const made = compileText(text, budget)('text', (name) => values[name] ?? '', budget)
    return { budget, made, error: null }
  } catch (error) {
    return { budget, made: '', error }
  }
}

/** Arguments with which a filter makes or searches the most. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  append: ': firstName',
  prepend: ': firstName',
  default: ': firstName',
  remove: ': "b"',
  remove_first: ': "b"',
  remove_last: ': "b"',
  replace: ': "a", "aa"',
  replace_first: ': "a", firstName',
  replace_last: ': "a", firstName',
  slice: ': 0, 50000',
  truncate: ': 50000',
  truncatewords: ': 50000',
  split: ': "a"',
  plus: ': 1',
  minus: ': 1',
  times: ': 2',
  divided_by: ': 2',
  modulo: ': 2',
  at_least: ': 1',
  at_most: ': 1',
}
/** `date` needs a date as its input, and multiplies its argument. */
const call = (name: string, input: string) =>
  name === 'date' ? `localDate | date: ${input}` : `${input} | ${name}${ARGUMENTS[name] ?? ''}`

const INPUTS = {
  'of letters': 'a'.repeat(50_000),
  'of emoji': '😀'.repeat(25_000),
  'of letters with longer capitals': 'ΐ'.repeat(50_000),
  'of spaces': ' '.repeat(50_000),
  'of percent signs': '%%'.repeat(25_000),
}

describe.each([...FILTERS.keys()])('the filter %s', (name) => {
  it.each(Object.entries(INPUTS))(
    'ends a text that calls it again and again on a long input %s',
    (_, input) => {
      const text = `{% assign made = ${call(name, 'firstName')} %}`.repeat(200)
      const { budget, error } = run(text, input)
      expect(error).toBeInstanceOf(TemplateError)
      expect(error).toMatchObject({ code: 'TEMPLATE_LIMIT' })
      // The charge that ended it was for work that was not done any more.
      const atMost = 10 * input.length
      expect(budget.work).toBeLessThan(WORK_MAX + atMost)
    },
  )

  it('is charged for what it reads and for what it makes', () => {
    const text = `{% assign made = ${call(name, 'firstName')} %}{{ made }}`
    // Parsing is charged once.
    run(text, '')
    const [short, long] = ['%%'.repeat(10), '%%'.repeat(1_010)].map((input) => run(text, input))
    expect([short!.error, long!.error]).toEqual([null, null])
    const made = long!.made.length - short!.made.length
    // The text and the filter read the variable; the filter makes the result, and the text reads and writes it.
    // The digits of a number are not counted.
    const charged = long!.budget.work - short!.budget.work
    expect(charged).toBeGreaterThanOrEqual(2 * 2_000 + 3 * made - 10)
  })

  it('ends when it is applied to its own growing result', () => {
    const grow = `{% assign a = a | append: a %}{% assign b = ${call(name, 'a')} %}`
    const { budget, error } = run(`{% assign a = firstName %}${grow.repeat(40)}`, '%%')
    expect(error).toMatchObject({ code: 'TEMPLATE_LIMIT' })
    expect(budget.work).toBeLessThan(2 * WORK_MAX)
  })
})

it('no filter of LiquidJS is available without an entry in the table of filters', () => {
  const others = Object.keys(new Liquid().filters).filter((name) => !FILTERS.has(name))
  expect(others.length).toBeGreaterThan(20)
  for (const name of others) {
    expect(run(`{{ firstName | ${name} }}`, 'a').error).toMatchObject({
      message: expect.stringContaining(`Unknown filter "${name}".`),
    })
  }
})

describe('a text that does too much is rejected:', () => {
  const fill = (piece: string, begin = '', end = '') =>
    begin + piece.repeat(Math.floor((TEMPLATE_MAX - begin.length - end.length) / piece.length)) + end
  const lists = '{% assign a = firstName | split: "" %}{% assign b = firstName | split: "" %}'
  it.each([
    [
      'a long chain of url_encode',
      '{{ firstName | url_encode | url_encode | url_encode | url_encode | size }}',
    ],
    ['a search for a long text', `{% if firstName contains "${'a'.repeat(9_000)}b" %}{% endif %}`],
    ['a replacement of a long text', `{{ firstName | replace: "${'a'.repeat(9_000)}b", "" }}`],
    ['many comparisons of long texts', fill(' or firstName == lastName', '{% if false', ' %}{% endif %}')],
    ['many branches that compare lists', fill('b,', `${lists}{% case a %}{% when `, 'b %}{% endcase %}')],
    ['a list of single characters', '{{ firstName | split: "" | join: ", " }}'],
    ['a branch with thousands of values', fill('1,', '{% case 2 %}{% when ', '1 %}{% endcase %}')],
    ['a filter with thousands of arguments', fill(',1', '{{ 1 | abs: 1', ' }}')],
    ['many conditions', fill(' or age', '{% if false', ' %}{% endif %}')],
    ['many outputs', fill('{{age|abs}}').slice(0, 11 * MARKS_MAX)],
  ])('%s', (_, text) => {
    const { error } = run(text, 'a'.repeat(40_000))
    expect(error).toMatchObject({ code: 'TEMPLATE_LIMIT' })
  })

  it(`more than ${FILTERS_MAX} filters on one value`, () => {
    const chain = (filters: number) => `{{ firstName${' | strip'.repeat(filters)} }}`
    expect(run(chain(FILTERS_MAX), 'Ada').made).toBe('Ada')
    expect(run(chain(FILTERS_MAX + 1), 'Ada').error).toMatchObject({
      message: `Line 1, column 4: Use at most ${FILTERS_MAX} filters on one value.`,
    })
  })

  it(`more than ${MARKS_MAX} tags and outputs`, () => {
    expect(run('{{firstName}}'.repeat(1_250), 'A').made).toBe('A'.repeat(1_250))
    expect(run('{{age}}'.repeat(MARKS_MAX + 1), 'A').error).toMatchObject({
      message: `Use at most ${MARKS_MAX} tags and outputs in one text.`,
    })
  })

  it('a text, an HTML part and a subject that together take more than the budget of one message', () => {
    const at = Date.UTC(2026, 11, 15, 16)
    const event = {
      ...{ id: '', occasionId: '', occurrence: '2026', targetAt: at, offsetSeconds: 0, timezone: 'UTC' },
      ...{ tzVersion: '', eventType: 'BIRTHDAY', occasion: { date: null } },
    }
    const person = {
      id: '',
      firstName: 'a'.repeat(50_000),
      lastName: '',
      dateOfBirth: '1990-12-15',
      language: null,
      externalId: null,
    }
    const body = '{{ firstName | slice: 0, 9 }}{{ firstName | slice: 0, 9 }}<br>'
    const source = { body, subject: body, from: 'a test', isStored: false }
    const render = () => renderMailBody({ event, person, now: at, table: tzdb }, 'a@example.com', source)
    expect(run(body, person.firstName).error).toBe(null)
    expect(render).toThrow('In the subject of a test. Line 1, column 33: Rendering takes too much work.')
  })
})

describe('a message that takes too much CPU time', () => {
  const TEXT = '{% if belated %}late{% endif %}{{ firstName | upcase }}'

  /** Every read of the clock is later by the next number of milliseconds. */
  function slowClock(...stepsMs: number[]) {
    let now = 1_000
    return { cpuMs: () => (now += stepsMs.shift() ?? 0) }
  }
  const render = (clock: { cpuMs: () => number }) =>
    renderWithin(clock, (budget) => compileText(TEXT, budget)('text', () => 'Ada', budget))

  it('is rendered if it stays within the limit', () => {
    expect(render(slowClock(0, CPU_MAX_MS))).toBe('lateADA')
  })

  it('is rendered if only the first of two renderings is slow, as by a garbage collection', () => {
    expect(render(slowClock(0, CPU_MAX_MS + 1))).toBe('lateADA')
  })

  it('is rejected if both renderings are slow', () => {
    const slow = CPU_MAX_MS + 1
    expect(() => render(slowClock(...Array(9).fill(slow)))).toThrow(TemplateError)
    expect(() => render(slowClock(...Array(9).fill(slow)))).toThrow('takes more than 50 ms of CPU time')
  })

  it('is rejected when the template is saved', () => {
    const clock = slowClock(...Array(20).fill(CPU_MAX_MS + 1))
    expect(parseTemplateText({ body: TEXT }, clock)).toMatchObject({
      ok: false,
      problems: [{ field: 'body', code: 'TEMPLATE_LIMIT', message: expect.stringContaining('CPU time') }],
    })
  })
})

it('the longest text has as many characters as the limit says', () => {
  const whole = 'a'.repeat(RENDERED_MAX)
  expect(run('{{ firstName }}', whole).made).toBe(whole)
  expect(run('{{ firstName | strip }}', whole).made).toBe(whole)
  for (const text of ['{{ firstName }}', '{{ firstName | strip }}', '{{ firstName | append: "" }}']) {
    expect(run(text, `${whole}a`).error).toMatchObject({ code: 'TEMPLATE_LIMIT' })
  }
})
