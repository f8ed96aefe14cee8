// Completions of the typed query at its caret. Pure.
import { STATUS_WORDS, TERM_NAMES, type TermName } from './query.ts'
import { SPAN_EXAMPLES } from './span.ts'

/** Names that the server knows. */
export type Known = { types: readonly string[]; channels: readonly string[]; people: readonly string[] }

/** The options replace the text from `from` to `to`. */
export type Completion = { from: number; to: number; options: string[] }

const MOST = 8

export function completionAt(text: string, caret: number, known: Known): Completion {
  const from = startOfToken(text, caret)
  const to = caret + (/^[^\s"]*/.exec(text.slice(caret))?.[0].length ?? 0)
  const token = text.slice(from, caret).toLowerCase()
  const colon = token.indexOf(':')
  if (colon === -1) {
    const names = TERM_NAMES.filter((name) => name.startsWith(token)).map((name) => `${name}:`)
    const people = token.length < 2 ? [] : matching(known.people, token).map((name) => option('person', name))
    return { from, to, options: [...names, ...people].slice(0, MOST + 1) }
  }
  const name = token.slice(0, colon) as TermName
  const typed = token.slice(colon + 1).replaceAll('"', '')
  // A second status goes after a comma.
  const comma = name === 'status' ? typed.lastIndexOf(',') + 1 : 0
  const before = typed.slice(0, comma)
  const found = matching(valuesOf(name, known), typed.slice(comma))
  const options = found.map((value) => option(name, before + value)).slice(0, MOST)
  return { from, to, options: options.length === 1 && options[0]!.toLowerCase() === token ? [] : options }
}

/** The text of the person whose name is being typed; empty if no person is. */
export function personAt(text: string, caret: number): string {
  const token = text.slice(startOfToken(text, caret), caret).replaceAll('"', '')
  if (token.toLowerCase().startsWith('person:')) return token.slice('person:'.length).trim()
  return token.includes(':') || token.length < 2 ? '' : token
}

/** The text and the caret after an option was chosen. */
export function complete(
  text: string,
  { from, to }: Completion,
  chosen: string,
): { text: string; caret: number } {
  const isValue = !chosen.endsWith(':')
  const rest = text.slice(to)
  const gap = isValue && !rest.startsWith(' ') ? ' ' : ''
  const head = text.slice(0, from) + chosen + gap
  return { text: head + rest, caret: isValue && gap === '' ? head.length + 1 : head.length }
}

function valuesOf(name: TermName, { types, channels, people }: Known): readonly string[] {
  switch (name) {
    case 'status':
      return STATUS_WORDS
    case 'type':
      return types.map((type) => type.toLowerCase())
    case 'channel':
      return [...channels, 'default', 'unknown']
    case 'person':
      return people
    case 'due':
    case 'settled':
    case 'duplicates':
      return SPAN_EXAMPLES
    default:
      return []
  }
}

function matching(values: readonly string[], typed: string): string[] {
  const lower = typed.toLowerCase()
  const distinct = [...new Set(values)]
  const begins = distinct.filter((value) => value.toLowerCase().startsWith(lower))
  return [
    ...begins,
    ...distinct.filter((value) => !begins.includes(value) && value.toLowerCase().includes(lower)),
  ]
}

function option(name: string, value: string): string {
  return `${name}:${/\s/.test(value) ? `"${value}"` : value}`
}

/** Where the word at the caret begins; a space within quotes does not end a word. */
function startOfToken(text: string, caret: number): number {
  let [start, isQuoted] = [0, false]
  for (let at = 0; at < caret; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (!isQuoted && /\s/.test(text[at]!)) start = at + 1
  }
  return start
}
