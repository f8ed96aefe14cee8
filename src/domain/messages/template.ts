// What events of a kind say, in a language: which text is chosen, and which text is fit to be kept.
import { type FieldProblem, type Parsed, TemplateError } from '../errors.ts'
import { compile, TEMPLATE_MAX } from './liquid.ts'
import { isMarkup } from './markup.ts'
import { type Facts, variableOf } from './message-variables.ts'

export type TemplateText = {
  /** For e-mail, in Liquid too; null for the first line of the body. */
  subject: string | null
  /** In Liquid. */
  body: string
}

export type Template = TemplateText & {
  /** The kind of occasion, such as BIRTHDAY. */
  type: string
  /** A language tag, or empty for everybody whose language has no text of its own. */
  language: string
  version: number
  createdAt: number
  updatedAt: number
}

/** The text for a language: its own, else that of the wider language (`pt` for `pt-BR`), else the one for everybody. */
export function chooseTemplate(
  templates: readonly Template[],
  wanted: { type: string; language: string | null },
): Template | null {
  const ofType = new Map<string, Template>()
  for (const template of templates) if (template.type === wanted.type) ofType.set(template.language, template)
  let language = wanted.language ?? ''
  for (;;) {
    const found = ofType.get(language)
    if (found !== undefined) return found
    if (language === '') return null
    language = language.includes('-') ? language.slice(0, language.lastIndexOf('-')) : ''
  }
}

export const SUBJECT_MAX = 500

/** A text fit to be kept: it is rendered here, so that what is broken is found before anybody waits for it. */
export function parseTemplateText(input: {
  body: string
  subject?: string | null | undefined
}): Parsed<TemplateText> {
  const subject = input.subject ?? null
  const problems = [
    ...problemsOf('body', input.body, { max: TEMPLATE_MAX, unfit: NOT_IN_A_BODY }),
    ...(subject === null
      ? []
      : problemsOf('subject', subject, { max: SUBJECT_MAX, unfit: NOT_IN_A_SUBJECT })),
  ]
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { body: input.body, subject } }
}

/** Control characters but tab and line breaks, and halves of a surrogate pair. */
const NOT_IN_A_BODY = /[^\P{Cc}\t\r\n]|\p{Cs}/u
const NOT_IN_A_SUBJECT = /[\p{Cc}\u2028\u2029]|\p{Cs}/u

function problemsOf(field: string, text: string, allowed: { max: number; unfit: RegExp }): FieldProblem[] {
  const refuse = (message: string) => [{ field, code: 'BAD_TEMPLATE', message }]
  if (text.trim() === '') return refuse('It is empty. Say something.')
  if (text.length > allowed.max)
    return refuse(`It has ${text.length} characters. Give at most ${allowed.max}.`)
  if (allowed.unfit.test(text)) return refuse('It has control characters or broken text in it. Remove them.')
  try {
    for (const facts of SAMPLES) {
      compile(text, 'text')((name) => variableOf(name, facts))
      if (isMarkup(text)) compile(text, 'html')((name) => variableOf(name, facts))
    }
    return []
  } catch (error) {
    if (error instanceof TemplateError) return refuse(error.message)
    throw error
  }
}

const NINE = Date.UTC(2026, 11, 15, 16)
const SAMPLE: Facts = {
  event: {
    id: '',
    occasionId: '',
    occurrence: '2026',
    targetAt: NINE,
    offsetSeconds: -25_200,
    timezone: 'America/Vancouver',
    tzVersion: '',
    eventType: 'BIRTHDAY',
    occasion: { date: null },
  },
  person: { id: '', firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', language: 'en' },
  now: NINE,
}
/** In time, and two days late. */
const SAMPLES = [SAMPLE, { ...SAMPLE, now: NINE + 172_800_000 }]
