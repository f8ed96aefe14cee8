// The template language: what it renders, what it rejects with line and column, and that its work is bounded.
import fc from 'fast-check'
import { Liquid } from 'liquidjs'
import { describe, expect, it } from 'vitest'
import { TemplateError } from '../../../src/domain/errors.ts'
import { compileStored, compileText } from '../../../src/domain/messages/liquid.ts'
import { type Form, TEMPLATE_MAX } from '../../../src/domain/messages/liquid-engine.ts'
import { type Scalar, VARIABLES, type VariableName } from '../../../src/domain/messages/message-variables.ts'
import { RenderBudget } from '../../../src/domain/messages/render-budget.ts'

const ADA: Record<VariableName, Scalar> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  fullName: 'Ada Lovelace',
  age: 36,
  years: 36,
  type: 'BIRTHDAY',
  occurrence: '2026',
  date: '2026-12-05',
  daysUntil: 0,
  localDate: '2026-12-05',
  localTime: '09:00',
  timezone: 'America/Vancouver',
  lateBySeconds: 0,
  belated: false,
  language: null,
  externalId: null,
  title: null,
  dueDate: null,
  dueTime: null,
}

function render(text: string, over: Partial<typeof ADA> = {}, form: Form = 'text'): string {
  const values = { ...ADA, ...over }
  const budget = new RenderBudget()
  return compileText(text, budget)(form, (name) => values[name], budget)
}

describe('a template', () => {
  it.each([
    ["Hey, {{ firstName }} {{ lastName }} it's your birthday", "Hey, Ada Lovelace it's your birthday"],
    ['No names at all', 'No names at all'],
    ['{{age}}{{ belated }}[{{ language }}]', '36false[]'],
    ['{firstName} { {firstName} }', '{firstName} { {firstName} }'],
    ['{% if age >= 18 and belated == false %}grown{% else %}young{% endif %}', 'grown'],
    ['{% unless belated %}today{% endunless %}', 'today'],
    ['{% case age %}{% when 18, 36 %}round{% else %}no{% endcase %}', 'round'],
    ['{% assign name = firstName | upcase %}{{ name }} {{ name | size }}', 'ADA 3'],
    ['{% assign firstName = "Countess" %}{{ firstName }}', 'Countess'],
    ['{% comment %}{{ nothing }}{% endcomment %}{% # nor this %}x', 'x'],
    ['{% raw %}{{ firstName }}{% endraw %}', '{{ firstName }}'],
    ['a  {{- firstName -}}  b', 'aAdab'],
    ['{{ language | default: "en" }} {{ firstName.size }} {{ age | divided_by: 10 | floor }}', 'en 3 3'],
    ['{{ fullName | split: " " | last | slice: 0, 4 }}', 'Love'],
    [
      '{{ localDate | date: "%A %-d %B %Y, %a %d %b %y, %-m/%m %%" }}',
      'Saturday 5 December 2026, Sat 05 Dec 26, 12/12 %',
    ],
  ])('renders %s', (text, expected) => {
    expect(render(text)).toBe(expected)
  })

  it('does not interpret tags inside values', () => {
    const awkward = '{{ lastName }} $& <b> {% if %} 🎂'
    expect(render('<{{ firstName }}>', { firstName: awkward })).toBe(`<${awkward}>`)
    expect(render('<{{ firstName | append: "" }}>', { firstName: awkward })).toBe(`<${awkward}>`)
  })

  it('escapes every value in HTML, but not its own text', () => {
    const over = { firstName: `<O'Brien & "Co">` }
    const escaped = '&lt;O&#39;Brien &amp; &#34;Co&#34;&gt;'
    expect(render('<b>{{ firstName }}</b> &', over, 'html')).toBe(`<b>${escaped}</b> &`)
    expect(render('<b>{{ firstName | append: "" }}</b> &', over, 'html')).toBe(`<b>${escaped}</b> &`)
    expect(render('{% if age %}{{ firstName }}{% endif %}', over, 'html')).toBe(escaped)
  })

  it('never splits a surrogate pair', () => {
    expect(render('{{ firstName | first }}', { firstName: '🎂' }).isWellFormed()).toBe(true)
  })

  it('renders a variable as empty if only another branch assigns it', () => {
    expect(render('{% if belated %}{% assign sorry = "Sorry" %}{% endif %}[{{ sorry }}]')).toBe('[]')
  })

  it('renders variables as LiquidJS does', () => {
    const part = fc.oneof(
      fc.constantFrom(...VARIABLES.map((name) => `{{ ${name} }}`)),
      fc.constantFrom('{{firstName}}', '{{- age -}}', '{{ lastName -}} ', '{', '}', '{ {', ' ', '\n', "it's"),
      fc.string({ maxLength: 5 }).map((text) => text.replaceAll(/\{[{%]/g, '')),
    )
    const values = fc.record({ firstName: fc.string(), lastName: fc.string(), age: fc.integer() })
    const reference = { text: new Liquid(), html: new Liquid({ outputEscape: 'escape' }) }
    fc.assert(
      fc.property(fc.array(part), values, fc.constantFrom<Form>('text', 'html'), (parts, over, form) => {
        const text = parts.join('').replaceAll(/\{\{(?!-? ?\w+ ?-?\}\})|\{%/g, '')
        const expected = reference[form].parseAndRenderSync(text, { ...ADA, ...over })
        expect(render(text, over, form)).toBe(expected)
      }),
    )
  })
})

describe('an invalid template is rejected with line and column', () => {
  it.each([
    ['Hi\n  {{ nickname }}', 'Line 2, column 6: Unknown variable "nickname".'],
    ['{% if false %}{{ nickname }}{% endif %}', 'Line 1, column 18: Unknown variable "nickname".'],
    ['{{ firstName | default: nickname }}', 'Unknown variable "nickname".'],
    ['{% case age %}{% when nickname %}{% endcase %}', 'Unknown variable "nickname".'],
    ['{{ FirstName }}', 'Unknown variable "FirstName".'],
    ['{{ constructor }}', 'Unknown variable "constructor".'],
    ['{{ [firstName] }}', 'Unknown variable "".'],
    ['{{ firstName.constructor }}', 'firstName.constructor has no value.'],
    ['{{ firstName | shout }}', 'Unknown filter "shout".'],
    ['Hi\n\n{% if belated %}{{ age | shout }}{% endif %}', 'Line 3, column 17: Unknown filter "shout".'],
    ['{{ firstName', 'Line 1, column 1: This is not closed.'],
    ['{% if age %}', 'Line 1, column 1: This is not closed.'],
    ['{{ }}', 'A value is missing here.'],
    ['{{ firstName lastName }}', 'An operator or a filter is required between two values.'],
    ['{% if age > %}x{% endif %}', 'An operator or a filter is required between two values.'],
    ['{% if age = 3 %}x{% endif %}', 'expected "|" before filter'],
    ['{{ firstName | append }}', 'The filter "append" needs a value after a colon.'],
    ['{{ firstName | date: "%d" }}', 'The filter "date" needs a date such as localDate.'],
    ['{{ localDate | date }}', 'Give the filter "date" a format'],
    ['{{ localDate | date: "%s" }}', 'The filter "date" supports only %Y'],
  ])('for %s', (text, message) => {
    expect(() => render(text)).toThrow(TemplateError)
    expect(() => render(text)).toThrow(message)
    expect(() => render(text)).toThrow(/^Line \d+, column \d+: /)
  })

  it.each('for tablerow include render layout block capture increment liquid echo'.split(' '))(
    'for the unsupported tag %s',
    (tag) => {
      expect(() => render(`{% ${tag} x %}`)).toThrow(`Unknown tag "${tag}".`)
    },
  )

  it.each(['"now" | date: "%Y"', 'firstName | sample', 'firstName | raw', 'age | date_to_string'])(
    'for {{ %s }}, which would read the clock, use randomness or bypass escaping',
    (output) => {
      expect(() => render(`{{ ${output} }}`)).toThrow(TemplateError)
    },
  )

  it('without personal data in the message', () => {
    const text = '{% assign parts = fullName | split: " " %}{{ parts[firstName] }}'
    const fail = () => render(text, { firstName: 'Secretname' })
    expect(fail).toThrow('parts[firstName] has no value.')
    expect(fail).not.toThrow('Secretname')
  })
})

describe('a template with excessive work ends quickly:', () => {
  const doubling = `{% assign a = "0123456789" %}${'{% assign a = a | append: a %}'.repeat(40)}`
  it.each([
    ['a text that doubles', doubling, 'The text is too long.'],
    [
      'a long word said often',
      `{% assign a = "${'x'.repeat(9_000)}" %}${'{{ a }}'.repeat(20)}`,
      'The text is too long',
    ],
    ['a long name said often', '{{ firstName }}'.repeat(1_000), 'The text is too long'],
    ['a range that has no end', '{{ (9007199254740992..9007199254740994) }}', 'Ranges are not supported.'],
    [
      'a range in a condition',
      '{% if (1..99999999999) contains age %}x{% endif %}',
      'Ranges are not supported.',
    ],
    ['deep conditions', '{% if age %}'.repeat(700) + '{% endif %}'.repeat(700), null],
    ['deep paths', `{{ age${'[age'.repeat(3_000)}${']'.repeat(3_000)} }}`, /nested too deeply|has no value/],
    ['too long a text', 'x'.repeat(TEMPLATE_MAX + 1), 'The text is too long'],
  ])('%s', (_, text, message) => {
    const run = () => render(text, { firstName: 'A'.repeat(100), fullName: 'a'.repeat(10) })
    // A template that is not limited would run for minutes, and into the timeout of the test.
    if (message === null) expect(run()).toBe('')
    else expect(run).toThrow(message)
  })

  it('any text is rendered or rejected with a TemplateError', () => {
    const oneOf = (words: string) => fc.constantFrom(...words.split(' '))
    const piece = fc.oneof(
      oneOf(`{{ }} {% %} - | : " ' ( ../.. ) [ ] .. ,`),
      oneOf('firstName age if endif assign = x else case when date append'),
      oneOf('9007199254740993 1 true nil not contains and'),
      fc.constantFrom(' ', '\n'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        try {
          expect(typeof render(pieces.join(' '))).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

it('the cache of compiled texts is bounded by their characters, and keeps the newest', () => {
  const texts = Array.from({ length: 9 }, (_, i) => `${i}`.repeat(TEMPLATE_MAX))
  const compile = (text: string) => compileStored(text, new RenderBudget())
  const [first, ...others] = texts.map(compile)
  expect(compile(texts[8]!)).toBe(others[7])
  expect(compile(texts[0]!)).not.toBe(first)
})
