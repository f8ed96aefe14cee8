// Which template is chosen for a language, and which template texts are valid.
import { describe, expect, it } from 'vitest'
import { chooseTemplate, parseTemplateText, type Template } from '../../../src/domain/messages/template.ts'
import { BUILT_IN_TEXTS } from '../../../src/domain/occasions/occasion-types.ts'

const make = (type: string, language: string): Template => ({
  ...{ type, language, subject: null, body: `${type} ${language}` },
  ...{ version: 1, createdAt: 0, updatedAt: 0 },
})

describe('chooseTemplate()', () => {
  const templates = [
    make('BIRTHDAY', ''),
    make('BIRTHDAY', 'pt'),
    make('BIRTHDAY', 'pt-BR'),
    make('NAME_DAY', 'de'),
  ]
  it.each([
    ['pt-BR', 'BIRTHDAY', 'pt-BR'],
    ['pt-PT', 'BIRTHDAY', 'pt'],
    ['zh-Hant-TW', 'BIRTHDAY', ''],
    [null, 'BIRTHDAY', ''],
    ['de-AT', 'NAME_DAY', 'de'],
    ['fr', 'NAME_DAY', null],
    ['de', 'OTHER', null],
  ])('for language %s and type %s returns the template of language “%s”', (language, type, expected) => {
    expect(chooseTemplate(templates, { type, language })?.language ?? null).toBe(expected)
  })
})

describe('parseTemplateText()', () => {
  it.each(Object.entries(BUILT_IN_TEXTS))('accepts the built-in text for %s', (_, body) => {
    expect(parseTemplateText({ body }, {})).toEqual({ ok: true, value: { body, subject: null } })
  })

  it('accepts a subject', () => {
    const text = { body: 'Hi\n\t{{ firstName }}', subject: '{{ age }}!' }
    expect(parseTemplateText(text, {})).toEqual({ ok: true, value: text })
  })

  it.each([
    ['', 'The text is empty.'],
    [' \n', 'The text is empty.'],
    ['x'.repeat(16_385), 'The text has 16385 characters. Use at most 16384.'],
    ['a\u0000b', 'control characters'],
    ['a\ud800b', 'invalid Unicode'],
    ['{{ nickname }}', 'Line 1, column 4: Unknown variable "nickname".'],
    ['{% if belated %}{{ "x" | date: "%d" }}{% endif %}', 'The filter "date" needs a date'],
    ['<p>{{ firstName | shout }}</p>', 'Unknown filter "shout".'],
  ])('rejects %j', (body, message) => {
    expect(parseTemplateText({ body }, {})).toEqual({
      ok: false,
      problems: [{ field: 'body', code: 'BAD_TEMPLATE', message: expect.stringContaining(message) }],
    })
  })

  it('reports the problems of body and subject together', () => {
    const parsed = parseTemplateText({ body: '{{ a }}', subject: 'one\ntwo' }, {})
    expect(parsed.ok ? [] : parsed.problems.map(({ field }) => field)).toEqual(['body', 'subject'])
  })
})
