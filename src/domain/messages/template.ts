// Message templates by type and language: which one is chosen, and whether a text is valid.
import { type FieldProblem, type Parsed, TemplateError } from '../errors.ts'
import { tzdb } from '../time/tzdb.ts'
import { type CompiledTemplate, compileText } from './liquid.ts'
import { TEMPLATE_MAX } from './liquid-engine.ts'
import { isMarkup } from './markup.ts'
import { type Facts, variableOf } from './message-variables.ts'
import { type CpuClock, renderWithin } from './render-budget.ts'

export type TemplateText = {
  /** For e-mail, in Liquid too; null for the first line of the body. */
  subject: string | null
  /** In Liquid. */
  body: string
}

export type Template = TemplateText & {
  /** The occasion type, such as BIRTHDAY. */
  type: string
  /** A language tag, or empty for the default text of all other languages. */
  language: string
  version: number
  createdAt: number
  updatedAt: number
}

/** The template for a language, else for its base language (`pt` for `pt-BR`), else the default. */
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

/** Validates a text by rendering it, so that errors are found before a message is due. */
export function parseTemplateText(
  input: { body: string; subject?: string | null | undefined },
  clock: CpuClock,
): Parsed<TemplateText> {
  const subject = input.subject ?? null
  const problems = [
    ...problemsOf('body', input.body, { clock, max: TEMPLATE_MAX, invalid: INVALID_IN_BODY }),
    ...(subject === null
      ? []
      : problemsOf('subject', subject, { clock, max: SUBJECT_MAX, invalid: INVALID_IN_SUBJECT })),
  ]
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { body: input.body, subject } }
}

/** Control characters except tab and line breaks, and lone surrogates. */
const INVALID_IN_BODY = /[^\P{Cc}\t\r\n]|\p{Cs}/u
const INVALID_IN_SUBJECT = /[\p{Cc}\u2028\u2029]|\p{Cs}/u

type Allowed = { clock: CpuClock; max: number; invalid: RegExp }

function problemsOf(field: string, text: string, allowed: Allowed): FieldProblem[] {
  const reject = (message: string, code: TemplateError['code'] = 'BAD_TEMPLATE'): FieldProblem[] => [
    { field, code, message },
  ]
  if (text.trim() === '') return reject('The text is empty.')
  if (text.length > allowed.max)
    return reject(`The text has ${text.length} characters. Use at most ${allowed.max}.`)
  if (allowed.invalid.test(text))
    return reject('The text contains control characters or invalid Unicode. Remove them.')
  try {
    let compiled: CompiledTemplate | undefined
    for (const facts of SAMPLES) {
      renderWithin(allowed.clock, (budget) => {
        compiled ??= compileText(text, budget)
        compiled('text', (name) => variableOf(name, facts), budget)
        if (isMarkup(text)) compiled('html', (name) => variableOf(name, facts), budget)
      })
    }
    return []
  } catch (error) {
    if (error instanceof TemplateError) return reject(error.message, error.code)
    throw error
  }
}

const DUE_AT = Date.UTC(2026, 11, 15, 16)
const SAMPLE: Facts = {
  event: {
    id: '',
    occasionId: '',
    occurrence: '2026',
    targetAt: DUE_AT,
    offsetSeconds: -25_200,
    timezone: 'America/Vancouver',
    tzVersion: '',
    eventType: 'BIRTHDAY',
    occasion: { date: null },
  },
  person: {
    id: '',
    externalId: 'crm-4711',
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth: '1990-12-15',
    language: 'en',
  },
  now: DUE_AT,
  table: tzdb,
}
/** On time, and two days late. */
const SAMPLES = [SAMPLE, { ...SAMPLE, now: DUE_AT + 172_800_000 }]
