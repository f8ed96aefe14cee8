// What an event says: the text, and the body that is sent byte for byte.
import { describe, expect, it } from 'vitest'
import { TemplateError } from '../../src/domain/errors.ts'
import { DEFAULT_TEMPLATES, renderBody, renderMessage } from '../../src/domain/message.ts'
import { DAY, makePerson } from '../fixtures.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

describe('a message', () => {
  it('is the birthday greeting by default', () => {
    expect(renderMessage(DEFAULT_TEMPLATES.BIRTHDAY!, ada)).toBe("Hey, Ada Lovelace it's your birthday")
  })

  it('fills in names as often as they are named', () => {
    expect(renderMessage('{firstName}, {firstName}! {lastName}', ada)).toBe('Ada, Ada! Lovelace')
    expect(renderMessage('No names at all', ada)).toBe('No names at all')
    expect(renderMessage('', ada)).toBe('')
  })

  it('takes names as they are, whatever is in them', () => {
    const awkward = { firstName: '{lastName} $& $1 $$', lastName: '"\\🎂' }
    expect(renderMessage('<{firstName}|{lastName}>', awkward)).toBe('<{lastName} $& $1 $$|"\\🎂>')
  })

  it.each(['{nickname}', '{FirstName}', '{}', 'Hi {firstname}', '{firstName} {constructor}'])(
    'with the unknown variable of “%s” is refused',
    (template) => {
      expect(() => renderMessage(template, ada)).toThrow(TemplateError)
    },
  )

  it('that is refused names the variable and the remedy', () => {
    expect(() => renderMessage('{nickname}', ada)).toThrow(
      'The template has an unknown variable {nickname}. Use {firstName} or {lastName}.',
    )
  })
})

describe('a body', () => {
  const target = Date.parse('2026-12-15T16:00:00Z')
  const { user, events } = makePerson({ targetAt: target, timezone: 'America/Denver' })
  const event = { ...events[0]!, offsetSeconds: -25_200, userId: user.id, eventType: 'BIRTHDAY' }
  const render = (over: Partial<typeof event> = {}, template: string | null = null, now = target) =>
    JSON.parse(renderBody({ ...event, ...over }, { ...ada, template }, now))

  it('says who, what, which occurrence, and when by both clocks', () => {
    expect(render()).toEqual({
      eventId: event.id,
      type: 'BIRTHDAY',
      message: "Hey, Ada Lovelace it's your birthday",
      userId: user.id,
      occurrence: '2026',
      targetTimestampUTC: '2026-12-15T16:00:00.000Z',
      targetTimestampLocal: '2026-12-15T09:00:00-07:00',
      timezone: 'America/Denver',
      lateBySeconds: 0,
    })
  })

  it('says how late it is in whole seconds, and never less than none', () => {
    expect(render({}, null, target + 999).lateBySeconds).toBe(0)
    expect(render({}, null, target + 1_000).lateBySeconds).toBe(1)
    expect(render({}, null, target + DAY).lateBySeconds).toBe(86_400)
    expect(render({}, null, target - DAY).lateBySeconds).toBe(0)
  })

  it('shows offsets of odd minutes', () => {
    const local = (offsetSeconds: number) => render({ offsetSeconds }).targetTimestampLocal
    expect(local(20_700)).toBe('2026-12-15T21:45:00+05:45')
    expect(local(-34_200)).toBe('2026-12-15T06:30:00-09:30')
    expect(local(0)).toBe('2026-12-15T16:00:00+00:00')
    expect(local(50_400)).toBe('2026-12-16T06:00:00+14:00')
  })

  it('uses the template of the occasion before the default of its type', () => {
    expect(render({}, 'Cheers, {firstName}').message).toBe('Cheers, Ada')
    expect(render({ eventType: 'WORK_ANNIVERSARY' }, 'Well done').message).toBe('Well done')
  })

  it('is refused for a type that has neither a template nor a default', () => {
    expect(() => render({ eventType: 'WORK_ANNIVERSARY' })).toThrow(TemplateError)
  })

  it('is the same text for the same input', () => {
    const twice = [1, 2].map(() => renderBody(event, { ...ada, template: null }, target))
    expect(twice[0]).toBe(twice[1])
  })
})
