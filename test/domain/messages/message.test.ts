// What an event says: the text, and the body that is sent byte for byte.
import { describe, expect, it } from 'vitest'
import { TemplateError } from '../../../src/domain/errors.ts'
import {
  chooseText,
  type MessageText,
  renderBody,
  renderMailBody,
} from '../../../src/domain/messages/message.ts'
import type { Template } from '../../../src/domain/messages/template.ts'
import { DAY, makePerson } from '../../support/fixtures.ts'

const TARGET = Date.parse('2026-12-15T16:00:00Z')
const person = makePerson({ targetAt: TARGET, timezone: 'America/Denver', dateOfBirth: '1990-12-15' })
const ada = { ...person.user, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const event = {
  ...person.events[0]!,
  offsetSeconds: -25_200,
  eventType: 'BIRTHDAY',
  occasion: { date: null, template: null as string | null },
}
const written = (body: string, subject: string | null = null): MessageText => ({
  body,
  subject,
  from: 'a test',
})
const builtIn = chooseText(event, null)

describe('a body', () => {
  const render = (over: Partial<typeof event> = {}, text = builtIn, now = TARGET) =>
    JSON.parse(renderBody({ ...event, ...over }, ada, text, now))

  it('says who, what, which occurrence, and when by both clocks', () => {
    expect(render()).toEqual({
      eventId: event.id,
      type: 'BIRTHDAY',
      message: "Hey, Ada Lovelace it's your birthday",
      userId: ada.id,
      occurrence: '2026',
      targetTimestampUTC: '2026-12-15T16:00:00.000Z',
      targetTimestampLocal: '2026-12-15T09:00:00-07:00',
      timezone: 'America/Denver',
      lateBySeconds: 0,
    })
  })

  it('says how late it is in whole seconds, and never less than none', () => {
    expect(render({}, builtIn, TARGET + 999).lateBySeconds).toBe(0)
    expect(render({}, builtIn, TARGET + 1_000).lateBySeconds).toBe(1)
    expect(render({}, builtIn, TARGET + DAY).lateBySeconds).toBe(86_400)
    expect(render({}, builtIn, TARGET - DAY).lateBySeconds).toBe(0)
  })

  it('shows offsets of odd minutes', () => {
    const local = (offsetSeconds: number) => render({ offsetSeconds }).targetTimestampLocal
    expect(local(20_700)).toBe('2026-12-15T21:45:00+05:45')
    expect(local(-34_200)).toBe('2026-12-15T06:30:00-09:30')
    expect(local(0)).toBe('2026-12-15T16:00:00+00:00')
    expect(local(50_400)).toBe('2026-12-16T06:00:00+14:00')
  })

  it('says plain words, not escaped', () => {
    const text = written('<{{ firstName }}> {% if belated %}belated{% endif %}')
    const body = renderBody(event, { ...ada, firstName: `"O'Brien" & \\` }, text, TARGET + DAY)
    expect(JSON.parse(body).message).toBe(`<"O'Brien" & \\> belated`)
  })

  it('that cannot be rendered says which text is wrong, and where', () => {
    expect(() => render({}, written('Hi {{ nickname }}'))).toThrow(TemplateError)
    expect(() => render({}, written('Hi {{ nickname }}'))).toThrow('In a test. Line 1, column 7: Unknown')
  })

  it('is the same text for the same input', () => {
    const twice = [1, 2].map(() => renderBody(event, ada, builtIn, TARGET))
    expect(twice[0]).toBe(twice[1])
  })
})

describe('the text of an event', () => {
  const stored: Template = {
    ...{ type: 'BIRTHDAY', language: 'de', subject: 'S', body: 'B' },
    ...{ version: 1, createdAt: 0, updatedAt: 0 },
  }

  it('is that of its occasion, else the stored one, else the built-in one', () => {
    const own = { ...event, occasion: { date: null, template: 'Own' } }
    expect(chooseText(own, stored)).toEqual({
      body: 'Own',
      subject: null,
      from: 'the template of the occasion',
    })
    expect(chooseText(event, stored)).toEqual({ body: 'B', subject: 'S', from: 'the template BIRTHDAY/de' })
    expect(chooseText(event, { ...stored, language: '' }).from).toBe('the template BIRTHDAY')
    expect(chooseText(event, null).body).toContain('birthday')
    expect(chooseText({ ...event, eventType: 'WORK_ANNIVERSARY' }, null).body).toContain('work anniversary')
  })

  it('is missing for a type that has none', () => {
    const other = { ...event, eventType: 'NAME_DAY' }
    expect(() => chooseText(other, null)).toThrow('No text for NAME_DAY. Store a template for this type')
  })
})

describe('a mail', () => {
  const render = (text: MessageText, over: Partial<typeof ada> = {}) =>
    JSON.parse(renderMailBody(event, { ...ada, ...over }, text, TARGET))

  it('is the body of a webhook, an address, a subject and the text twice', () => {
    expect(render(builtIn)).toEqual({
      ...JSON.parse(renderBody(event, ada, builtIn, TARGET)),
      to: 'ada@example.com',
      toName: 'Ada Lovelace',
      subject: "Hey, Ada Lovelace it's your birthday",
      text: "Hey, Ada Lovelace it's your birthday",
      html: 'Hey, Ada Lovelace it&#39;s your birthday',
    })
  })

  it('of plain words is escaped as a whole, and has its first line for a subject', () => {
    const mail = render(written('\nDear {{ firstName }} <3\nall the best'), { firstName: '<b>' })
    expect(mail.subject).toBe('Dear <b> <3')
    expect(mail.text).toBe('\nDear <b> <3\nall the best')
    expect(mail.html).toBe('<br>\nDear &lt;b&gt; &lt;3<br>\nall the best')
  })

  it('of tags is HTML with every value escaped, and its words are the text', () => {
    const mail = render(written('<p>Dear {{ firstName }}</p><p>&amp; co</p>'), { firstName: '<script>' })
    expect(mail.html).toBe('<p>Dear &lt;script&gt;</p><p>&amp; co</p>')
    expect(mail.text).toBe('Dear <script>\n& co')
    expect(mail.message).toBe('<p>Dear <script></p><p>&amp; co</p>')
  })

  it('has a subject of one line, of bounded length', () => {
    const subject = (text: string) => render(written('x', text)).subject
    expect(subject('Hi {{ firstName }}{{ "\\r\\nBcc: a@b.c\\u2028" }}{{ "\\u0007" }}!')).toBe(
      'Hi Ada Bcc: a@b.c !',
    )
    expect([...subject('🎂'.repeat(400))]).toHaveLength(200)
  })

  it('with a broken subject says so', () => {
    expect(() => render(written('x', '{{ nickname }}'))).toThrow('In the subject of a test. Line 1, column 4')
  })
})
