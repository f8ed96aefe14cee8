// Renders the message of an event, and the body that every attempt sends byte for byte.

import { TemplateError } from '../errors.ts'
import { dataOf } from '../formats/data.ts'
import { occasionType } from '../occasions/occasion-types.ts'
import { formatInstant, formatLocal } from '../time/timestamp.ts'
import { fullName } from '../users/full-name.ts'
import { compileStored, compileText } from './liquid.ts'
import type { Form } from './liquid-engine.ts'
import { htmlOfText, isMarkup, textOfHtml } from './markup.ts'
import { type Facts, lateBySeconds, variableOf } from './message-variables.ts'
import { RenderBudget } from './render-budget.ts'
import type { Template } from './template.ts'

/** A template text, and where it comes from, for error messages. Only the compiled form of a stored text is cached. */
export type MessageText = { body: string; subject: string | null; from: string; isStored: boolean }

/**
 * The occasion's own template, else the template stored for its type, else the built-in text. `isOptional`: an event without any has an
 * empty message.
 */
export function chooseText(
  { eventType, occasion }: { eventType: string; occasion: { template: string | null } },
  stored: Template | null,
  { belated = false, isOptional = false } = {},
): MessageText {
  if (occasion.template !== null) {
    return { body: occasion.template, subject: null, from: 'the template of the occasion', isStored: true }
  }
  if (stored !== null) {
    const { type, language, body, subject } = stored
    const name = language === '' ? type : `${type}/${language}`
    return { body, subject, from: `the template ${name}`, isStored: true }
  }
  const { text, belatedText } = occasionType(eventType)
  const body = (belated ? belatedText : null) ?? text ?? (isOptional ? '' : null)
  if (body === null) {
    throw new TemplateError(
      `No text for ${eventType}. Store a template for this type, or set one on the occasion.`,
    )
  }
  return { body, subject: null, from: 'the built-in text', isStored: true }
}

/** The body of a webhook. Rendered once, at the first attempt, with the user's data at that time. */
export function renderBody(facts: Facts, text: MessageText, budget = new RenderBudget()): string {
  return JSON.stringify(eventBody(facts, renderMessage(facts, text, budget)))
}

/** The body of an e-mail: the webhook's body plus the mail. */
export function renderMailBody(
  facts: Facts,
  to: string,
  text: MessageText,
  budget = new RenderBudget(),
): string {
  const { message, ...mail } = renderMail(facts, text, budget)
  return JSON.stringify({ ...eventBody(facts, message), to, toName: fullName(facts.person), ...mail })
}

export type RenderedMail = { message: string; subject: string; text: string; html: string }

/** A template with tags is HTML, and its text is extracted. Any other is text, and gets <br> for HTML. */
export function renderMail(facts: Facts, source: MessageText, budget = new RenderBudget()): RenderedMail {
  const { body, subject, from } = source
  const message = renderMessage(facts, source, budget)
  let text = message
  let html: string
  if (isMarkup(body)) {
    html = renderPart(source, 'html', facts, budget)
    text = textOfHtml(html)
  } else {
    html = htmlOfText(text)
  }
  const ofSubject = { ...source, body: subject ?? '', from: `the subject of ${from}` }
  const line = subject === null ? firstLine(text) : renderMessage(facts, ofSubject, budget)
  return { message, subject: oneLine(line), text, html }
}

export function renderMessage(facts: Facts, text: MessageText, budget = new RenderBudget()): string {
  return renderPart(text, 'text', facts, budget)
}

/** Control characters except tab and line breaks. */
const CONTROLS = /[^\P{Cc}\t\r\n]/gu

function renderPart(text: MessageText, form: Form, facts: Facts, budget: RenderBudget): string {
  try {
    const compiled = (text.isStored ? compileStored : compileText)(text.body, budget)
    const rendered = compiled(form, (name) => variableOf(name, facts), budget)
    // A text can write one as an escape: PostgreSQL stores no NUL, also not for the receiver.
    return rendered.replaceAll(CONTROLS, '')
  } catch (error) {
    throw error instanceof TemplateError
      ? new TemplateError(`In ${text.from}. ${error.message}`, error.code)
      : error
  }
}

function eventBody(facts: Facts, message: string) {
  const { event, person, now } = facts
  return {
    eventId: event.id,
    type: event.eventType,
    message,
    userId: person.id,
    externalId: person.externalId,
    occasionId: event.occasionId,
    occurrence: event.occurrence,
    targetTimestampUTC: formatInstant(event.targetAt),
    targetTimestampLocal: formatLocal(event.targetAt, event.offsetSeconds),
    timezone: event.timezone,
    lateBySeconds: lateBySeconds(event, now),
    data: dataOf(event.task ?? event.occasion),
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
