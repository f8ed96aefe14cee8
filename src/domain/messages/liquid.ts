// Renders Liquid templates: text and values in, text out. LiquidJS is used only by the liquid-*.ts files.
import { type Output, type Template, TypeGuards } from 'liquidjs'
import { TemplateError } from '../errors.ts'
import { findNames, type Names } from './liquid-check.ts'
import { evaluate, type Form, parse } from './liquid-engine.ts'
import { guarded, templateError } from './liquid-error.ts'
import { escapeHtml } from './markup.ts'
import type { Scalar, VariableName } from './message-variables.ts'
import { LimitError, RENDERED_MAX, type RenderBudget, TOO_LONG, VALUE_WORK } from './render-budget.ts'

type ReadVariable = (name: VariableName) => Scalar
export type CompiledTemplate = (form: Form, read: ReadVariable, budget: RenderBudget) => string

/** Tags and outputs of one template. LiquidJS parses this many in about 10 ms. */
export const MARKS_MAX = 1_500

/** Characters of all cached texts together. A compiled text takes up to 110 bytes for each of its characters: 14 MB in all. */
const CACHED_MAX = 131_072
const cache = new Map<string, CompiledTemplate>()
let cached = 0

/**
 * For texts from the store only: one of them is rendered for thousands of people. A text of a request is not cached, because
 * a caller can send any number of different ones.
 */
export function compileStored(text: string, budget: RenderBudget): CompiledTemplate {
  const known = cache.get(text)
  if (known !== undefined) return known
  const compiled = compileText(text, budget)
  cache.set(text, compiled)
  cached += text.length
  for (const oldest of cache.keys()) {
    if (cached <= CACHED_MAX) break
    cache.delete(oldest)
    cached -= oldest.length
  }
  return compiled
}

/** Throws a TemplateError. The budget includes the time that compiling takes. */
export function compileText(text: string, budget: RenderBudget): CompiledTemplate {
  budget.step(text.length)
  const compiled = compile(text)
  budget.checkTime()
  return compiled
}

function compile(text: string): CompiledTemplate {
  if ((text.match(/\{[{%]/g)?.length ?? 0) > MARKS_MAX)
    throw new TemplateError(`Use at most ${MARKS_MAX} tags and outputs in one text.`)
  const templates = guarded(() => parse(text))
  const names = guarded(() => findNames(templates))
  if ('message' in names) throw templateError(names.message, names.token)
  const parts = partsOf(templates)
  return parts === null ? evaluating(templates, names) : filling(parts)
}

function evaluating(templates: Template[], { variables, assigned, values }: Names): CompiledTemplate {
  // A name that is assigned in one branch is empty in the others.
  const unassigned = Object.fromEntries([...assigned].map((name) => [name, null]))
  return (form, read, budget) => {
    // Literals are charged nowhere else: `when` may have thousands.
    budget.use(values * VALUE_WORK)
    const scope: Record<string, Scalar> = { ...unassigned }
    for (const name of variables) scope[name] = read(name)
    // `split` and `first` can cut a surrogate pair in half.
    return guarded(() => evaluate(templates, scope, form, budget)).toWellFormed()
  }
}

/** Plain text and variables only, as in most templates. Filling them in here takes 0.4 µs, by LiquidJS 7 µs. */
type Parts = readonly (string | { name: VariableName })[]

function partsOf(templates: readonly Template[]): Parts | null {
  const parts: (string | { name: VariableName })[] = []
  for (const template of templates) {
    const { token } = template
    if (TypeGuards.isHTMLToken(token)) {
      parts.push(token.getContent())
      continue
    }
    const name = TypeGuards.isOutputToken(token) ? plainVariable(template as Output) : null
    if (name === null) return null
    parts.push({ name })
  }
  return parts
}

/** The variable of `{{ firstName }}`; null for any other output. The one filter is the escaping that every output has. */
function plainVariable({ value: { initial, filters } }: Output): VariableName | null {
  const [token, ...more] = initial.postfix
  if (filters.length > 1 || more.length > 0 || !TypeGuards.isPropertyAccessToken(token)) return null
  const isPlain = token.variable === undefined && token.props.length === 1
  return isPlain ? (token.getText() as VariableName) : null
}

function filling(parts: Parts): CompiledTemplate {
  return (form, read) => {
    let text = ''
    let made = 0
    for (const part of parts) {
      if (typeof part === 'string') {
        text += part
        continue
      }
      const value = String(read(part.name) ?? '')
      made += value.length
      text += form === 'html' ? escapeHtml(value) : value
    }
    if (made > RENDERED_MAX) throw new LimitError(TOO_LONG)
    return text
  }
}
