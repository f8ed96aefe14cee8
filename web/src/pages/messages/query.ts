// The typed query of the Messages page, such as `status:failed channel:crm due:today`: text to terms and back. The terms are
// the parameters of the page's URL. Pure.
import type { EventStatus } from '../../api/types.ts'
import { typeCode } from '../../clock/format.ts'
import { readSpan, SPAN_EXAMPLES } from './span.ts'

export const TERM_NAMES = [
  'status',
  'type',
  'channel',
  'person',
  'due',
  'settled',
  'duplicates',
  'reason',
  'id',
] as const
export type TermName = (typeof TERM_NAMES)[number]
export type Terms = Partial<Record<TermName, string>>

/** The words of the page for the states of an event. Unresolved: failed, and neither delivered since nor being retried. */
export const STATUS_CODES = {
  scheduled: 'PENDING',
  sending: 'PROCESSING',
  sent: 'COMPLETED',
  failed: 'FAILED',
  unresolved: 'FAILED',
} as const satisfies Record<string, EventStatus>
type StatusWord = keyof typeof STATUS_CODES
export const STATUS_WORDS = Object.keys(STATUS_CODES) as StatusWord[]

export type Parsed = { terms: Terms; problems: string[] }

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const KEY = /^event-[0-9a-f]{32}$/i

/** Words without a filter name are an id, an idempotency key, or the name of a person. */
export function parseQuery(text: string): Parsed {
  const terms: Terms = {}
  const problems: string[] = []
  const add = (name: TermName, value: string) => {
    const read = readValue(name, value)
    if (!read.ok) problems.push(read.problem)
    else if (terms[name] === undefined) terms[name] = read.value
    else if (name === 'status' || name === 'person')
      terms[name] += `${name === 'status' ? ',' : ' '}${read.value}`
    else problems.push(`Use ${name}: once.`)
  }
  for (const token of tokensOf(text)) {
    const colon = token.indexOf(':')
    const name = token.slice(0, Math.max(0, colon)).toLowerCase()
    const value = unquoted(token.slice(colon + 1))
    if (colon < 1) add(ID.test(token) || KEY.test(token) ? 'id' : 'person', unquoted(token))
    else if (!TERM_NAMES.includes(name as TermName))
      problems.push(`Unknown filter "${name}". Use ${TERM_NAMES.join(', ')}.`)
    else if (value !== '') add(name as TermName, value)
  }
  return { terms, problems }
}

/** The text that `parseQuery` reads as these terms. */
export function formatQuery(terms: Terms): string {
  return TERM_NAMES.flatMap((name) => {
    const value = terms[name]
    return value === undefined || value === '' ? [] : [`${name}:${quoted(value)}`]
  }).join(' ')
}

/** The terms in a query string; values that cannot be read are reported. */
export function termsOfUrl(search: string): Parsed {
  const params = new URLSearchParams(search)
  const given = TERM_NAMES.flatMap((name) => {
    const value = params.get(name)
    return value === null || value === '' ? [] : [`${name}:${quoted(value)}`]
  })
  return parseQuery(given.join(' '))
}

/** The path of the page with these terms. */
export function messagesPath(terms: Terms): string {
  const params = new URLSearchParams(Object.entries(terms).filter(([, value]) => value !== ''))
  return params.size === 0 ? 'messages' : `messages?${params}`
}

export function statusWordsOf({ status = '' }: Terms): StatusWord[] {
  return status === '' ? [] : (status.split(',') as StatusWord[])
}

type Value = { ok: true; value: string } | { ok: false; problem: string }

function readValue(name: TermName, value: string): Value {
  switch (name) {
    case 'status':
      return readStatuses(value)
    case 'type': {
      const code = typeCode(value)
      return code === '' ? problem(`"${value}" is not a type.`) : { ok: true, value: code }
    }
    case 'due':
    case 'settled':
    case 'duplicates':
      return readSpan(value, { now: 0, offsetMinutes: 0 }) === null
        ? problem(
            `"${value}" is not a time range. Use ${SPAN_EXAMPLES.join(', ')}, a date, or two dates with .. between.`,
          )
        : { ok: true, value }
    case 'id':
      return ID.test(value) || KEY.test(value)
        ? { ok: true, value: value.toLowerCase() }
        : problem(`"${value}" is neither the id of an event nor an idempotency key.`)
    case 'channel':
    case 'person':
    case 'reason':
      return { ok: true, value }
  }
}

function readStatuses(text: string): Value {
  const words: StatusWord[] = []
  for (const given of text.split(',')) {
    const lower = given.toLowerCase()
    const word = STATUS_WORDS.find((one) => one === lower || STATUS_CODES[one].toLowerCase() === lower)
    if (word === undefined) return problem(`Unknown status "${given}". Use ${STATUS_WORDS.join(', ')}.`)
    if (!words.includes(word)) words.push(word)
  }
  return { ok: true, value: words.join(',') }
}

function problem(text: string): Value {
  return { ok: false, problem: text }
}

/** Splits at spaces outside quotes. */
function tokensOf(text: string): string[] {
  return text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []
}

function unquoted(text: string): string {
  return text.replaceAll('"', '').trim()
}

function quoted(value: string): string {
  return /\s/.test(value) ? `"${value.replaceAll('"', '')}"` : value.replaceAll('"', '')
}
