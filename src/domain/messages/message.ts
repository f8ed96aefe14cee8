// Renders the message of an event, and the body that every attempt sends byte for byte.
import { TemplateError } from '../errors.ts'
import { occasionType } from '../occasions/occasion-types.ts'
import { formatInstant, formatLocal } from '../time/timestamp.ts'
import { compile, type Form } from './liquid.ts'
import { htmlOfText, isMarkup, textOfHtml } from './markup.ts'
import { type Facts, lateBySeconds, variableOf } from './message-variables.ts'
import type { Template } from './template.ts'

/** A template text, and where it comes from, for error messages. */
export type MessageText = { body: string; subject: string | null; from: string }

/** The occasion's own template, else the template stored for its type, else the built-in text. */
export function chooseText(
  { eventType, occasion }: { eventType: string; occasion: { template: string | null } },
  stored: Template | null,
  belated = false,
): MessageText {
  if (occasion.template !== null) {
    return { body: occasion.template, subject: null, from: 'the template of the occasion' }
  }
  if (stored !== null) {
    const { type, language, body, subject } = stored
    return { body, subject, from: `the template ${language === '' ? type : `${type}/${language}`}` }
  }
  const { text, belatedText } = occasionType(eventType)
  const body = (belated ? belatedText : null) ?? text
  if (body === null) {
    throw new TemplateError(
      `No text for ${eventType}. Store a template for this type, or set one on the occasion.`,
    )
  }
  return { body, subject: null, from: 'the built-in text' }
}

/** The body of a webhook. Rendered once, at the first attempt, with the user's data at that time. */
export function renderBody(facts: Facts, text: MessageText): string {
  return JSON.stringify(eventBody(facts, text))
}

/** The body of an e-mail: the webhook's body plus the mail. */
export function renderMailBody(facts: Facts, to: string, text: MessageText): string {
  const { firstName, lastName } = facts.person
  const toName = `${firstName} ${lastName}`
  return JSON.stringify({ ...eventBody(facts, text), to, toName, ...renderMail(facts, text) })
}

export type RenderedMail = { subject: string; text: string; html: string }

/** A template with tags is HTML, and its text is extracted. Any other is text, and gets <br> for HTML. */
export function renderMail(facts: Facts, { body, subject, from }: MessageText): RenderedMail {
  let text: string
  let html: string
  if (isMarkup(body)) {
    html = render(body, 'html', facts, from)
    text = textOfHtml(html)
  } else {
    text = render(body, 'text', facts, from)
    html = htmlOfText(text)
  }
  const line = subject === null ? firstLine(text) : render(subject, 'text', facts, `the subject of ${from}`)
  return { subject: oneLine(line), text, html }
}

export function renderMessage(facts: Facts, { body, from }: MessageText): string {
  return render(body, 'text', facts, from)
}

function render(template: string, form: Form, facts: Facts, from: string): string {
  try {
    return compile(template, form)((name) => variableOf(name, facts))
  } catch (error) {
    throw error instanceof TemplateError ? new TemplateError(`In ${from}. ${error.message}`) : error
  }
}

function eventBody(facts: Facts, text: MessageText) {
  const { event, person, now } = facts
  return {
    eventId: event.id,
    type: event.eventType,
    message: renderMessage(facts, text),
    userId: person.id,
    occurrence: event.occurrence,
    targetTimestampUTC: formatInstant(event.targetAt),
    targetTimestampLocal: formatLocal(event.targetAt, event.offsetSeconds),
    timezone: event.timezone,
    lateBySeconds: lateBySeconds(event, now),
    ...(event.task && {
      taskId: event.task.id,
      title: event.task.title,
      dueAt: formatInstant(event.task.dueAt),
    }),
  }
}

function firstLine(text: string): string {
  return text.trimStart().split(/[\r\n]/, 1)[0]!
}

const SUBJECT_RENDERED_MAX = 200

/** One line without control characters, so that a subject cannot inject a header. */
function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length <= SUBJECT_RENDERED_MAX
    ? line
    : `${[...line].slice(0, SUBJECT_RENDERED_MAX - 1).join('')}…`
}
