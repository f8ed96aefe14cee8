// The message of an event: which text is chosen, and the body that is sent.
import { describe, expect, it } from 'vitest'
import { TemplateError } from '../../../src/domain/errors.ts'
import {
  chooseText,
  type MessageText,
  renderBody,
  renderMailBody,
} from '../../../src/domain/messages/message.ts'
import type { Template } from '../../../src/domain/messages/template.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { DAY, makePerson } from '../../support/fixtures.ts'

const TARGET = Date.parse('2026-12-15T16:00:00Z')
const person = makePerson({ targetAt: TARGET, timezone: 'America/Denver', dateOfBirth: '1990-12-15' })
const ada = {
  ...person.user,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  externalId: 'crm-4711',
}
const event = {
  ...person.events[0]!,
  offsetSeconds: -25_200,
  eventType: 'BIRTHDAY',
  occasion: { date: null, template: null as string | null },
}
const facts = { event, person: ada, now: TARGET, table: tzdb }
const written = (body: string, subject: string | null = null): MessageText => ({
  body,
  subject,
  from: 'a test',
  isStored: false,
})
const builtIn = chooseText(event, null)

describe('renderBody()', () => {
  const render = (over: Partial<typeof event> = {}, text = builtIn, now = TARGET) =>
    JSON.parse(renderBody({ event: { ...event, ...over }, person: ada, now, table: tzdb }, text))

  it('returns the user, the message, the occurrence, and the target in UTC and local time', () => {
    expect(render()).toEqual({
      eventId: event.id,
      type: 'BIRTHDAY',
      message: "Hey, Ada Lovelace it's your birthday",
      userId: ada.id,
      externalId: 'crm-4711',
      occasionId: event.occasionId,
      occurrence: '2026',
      targetTimestampUTC: '2026-12-15T16:00:00.000Z',
      targetTimestampLocal: '2026-12-15T09:00:00-07:00',
      timezone: 'America/Denver',
      lateBySeconds: 0,
      data: null,
    })
  })

  it('returns the lateness in whole seconds, never below 0', () => {
    expect(render({}, builtIn, TARGET + 999).lateBySeconds).toBe(0)
    expect(render({}, builtIn, TARGET + 1_000).lateBySeconds).toBe(1)
    expect(render({}, builtIn, TARGET + DAY).lateBySeconds).toBe(86_400)
    expect(render({}, builtIn, TARGET - DAY).lateBySeconds).toBe(0)
  })

  it('writes offsets that are not full hours', () => {
    const local = (offsetSeconds: number) => render({ offsetSeconds }).targetTimestampLocal
    expect(local(20_700)).toBe('2026-12-15T21:45:00+05:45')
    expect(local(-34_200)).toBe('2026-12-15T06:30:00-09:30')
    expect(local(0)).toBe('2026-12-15T16:00:00+00:00')
    expect(local(50_400)).toBe('2026-12-16T06:00:00+14:00')
  })

  it('does not escape HTML in the message', () => {
    const text = written('<{{ firstName }}> {% if belated %}belated{% endif %}')
    const body = renderBody(
      { ...facts, person: { ...ada, firstName: `"O'Brien" & \\` }, now: TARGET + DAY },
      text,
    )
    expect(JSON.parse(body).message).toBe(`<"O'Brien" & \\> belated`)
  })

  it('leaves out control characters that a text writes as escapes', () => {
    expect(render({}, written('{{ "a\\u0000b\\n\\u001bc" }}')).message).toBe('ab\nc')
  })

  it('throws an error that names the template, line and column', () => {
    expect(() => render({}, written('Hi {{ nickname }}'))).toThrow(TemplateError)
    expect(() => render({}, written('Hi {{ nickname }}'))).toThrow('In a test. Line 1, column 7: Unknown')
  })
})

describe('chooseText()', () => {
  const stored: Template = {
    ...{ type: 'BIRTHDAY', language: 'de', subject: 'S', body: 'B' },
    ...{ version: 1, createdAt: 0, updatedAt: 0 },
  }

  it('prefers the template of the occasion, then the stored one, then the built-in one', () => {
    const own = { ...event, occasion: { date: null, template: 'Own' } }
    expect(chooseText(own, stored)).toEqual({
      body: 'Own',
      subject: null,
      from: 'the template of the occasion',
      isStored: true,
    })
    expect(chooseText(event, stored)).toMatchObject({
      body: 'B',
      subject: 'S',
      from: 'the template BIRTHDAY/de',
    })
    expect(chooseText(event, { ...stored, language: '' }).from).toBe('the template BIRTHDAY')
    expect(chooseText(event, null).body).toContain('birthday')
    expect(chooseText({ ...event, eventType: 'WORK_ANNIVERSARY' }, null).body).toContain('work anniversary')
  })

  it('throws for a type without any template', () => {
    const other = { ...event, eventType: 'NAME_DAY' }
    expect(() => chooseText(other, null)).toThrow('No text for NAME_DAY. Store a template for this type')
    expect(chooseText(other, null, { isOptional: true }).body).toBe('')
  })
})

describe('renderMailBody()', () => {
  const render = (text: MessageText, over: Partial<typeof ada> = {}) =>
    JSON.parse(renderMailBody({ ...facts, person: { ...ada, ...over } }, ada.email, text))

  it('returns the webhook body with recipient, subject, text and HTML', () => {
    expect(render(builtIn)).toEqual({
      ...JSON.parse(renderBody(facts, builtIn)),
      to: 'ada@example.com',
      toName: 'Ada Lovelace',
      subject: "Hey, Ada Lovelace it's your birthday",
      text: "Hey, Ada Lovelace it's your birthday",
      html: 'Hey, Ada Lovelace it&#39;s your birthday',
    })
  })

  it('escapes a plain text for HTML, and uses its first line as the subject', () => {
    const mail = render(written('\nDear {{ firstName }} <3\nall the best'), { firstName: '<b>' })
    expect(mail.subject).toBe('Dear <b> <3')
    expect(mail.text).toBe('\nDear <b> <3\nall the best')
    expect(mail.html).toBe('<br>\nDear &lt;b&gt; &lt;3<br>\nall the best')
  })

  it('escapes each value in an HTML template, and derives the text from the HTML', () => {
    const mail = render(written('<p>Dear {{ firstName }}</p><p>&amp; co</p>'), { firstName: '<script>' })
    expect(mail.html).toBe('<p>Dear &lt;script&gt;</p><p>&amp; co</p>')
    expect(mail.text).toBe('Dear <script>\n& co')
    expect(mail.message).toBe('<p>Dear <script></p><p>&amp; co</p>')
  })

  it('limits the subject to one line of 200 characters', () => {
    const subject = (text: string) => render(written('x', text)).subject
    expect(subject('Hi {{ firstName }}{{ "\\r\\nBcc: a@b.c\\u2028" }}{{ "\\u0007" }}!')).toBe(
      'Hi Ada Bcc: a@b.c !',
    )
    expect([...subject('🎂'.repeat(400))]).toHaveLength(200)
  })

  it('throws an error that names the subject if that is invalid', () => {
    expect(() => render(written('x', '{{ nickname }}'))).toThrow('In the subject of a test. Line 1, column 4')
  })
})
