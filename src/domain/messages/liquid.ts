// Renders Liquid templates: text and values in, text out. LiquidJS is used only by the liquid-*.ts files.
import { type Context, Liquid, type Output, type Template, TypeGuards } from 'liquidjs'
import { TemplateError } from '../errors.ts'
import { findNames, type Names } from './liquid-check.ts'
import { guarded, TOO_MUCH, templateError } from './liquid-error.ts'
import { FILTERS, formatDate, TAGS } from './liquid-language.ts'
import { escapeHtml } from './markup.ts'
import type { Scalar, VariableName } from './message-variables.ts'

/** In HTML every value is escaped; the template's own text is markup and stays as it is. */
export type Form = 'text' | 'html'
type ReadVariable = (name: VariableName) => Scalar
type CompiledTemplate = (read: ReadVariable) => string

export const TEMPLATE_MAX = 16_384
/**
 * The most characters that one rendering may produce, intermediate results included. There is no time limit: without loops a
 * template is evaluated once, and a pause of the machine is not the template's fault.
 */
const RENDERED_MAX = 65_536

const ENGINES: Readonly<Record<Form, Liquid>> = { text: createEngine('text'), html: createEngine('html') }

const CACHED_MAX = 200
const cache = new Map<string, CompiledTemplate>()

/** Cached, because one text is rendered for thousands of people. Throws a TemplateError. */
export function compile(text: string, form: Form): CompiledTemplate {
  const key = `${form} ${text}`
  let compiled = cache.get(key)
  if (compiled === undefined) {
    compiled = compileUncached(text, form)
    if (cache.size >= CACHED_MAX) cache.delete(cache.keys().next().value!)
    cache.set(key, compiled)
  }
  return compiled
}

function createEngine(form: Form): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    // No includes. Without this, LiquidJS logs a warning at every start on runtimes other than Node.
    relativeReference: false,
    parseLimit: TEMPLATE_MAX,
    memoryLimit: RENDERED_MAX,
    outputEscape: function (this: { context: Context }, value: unknown) {
      const made = Array.isArray(value) ? value.join('') : String(value ?? '')
      this.context.memoryLimit.use(made.length)
      return form === 'html' ? escapeHtml(made) : made
    },
  })
  for (const name of Object.keys(engine.tags)) if (!TAGS.has(name)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) if (!FILTERS.has(name)) engine.unregisterFilter(name)
  engine.registerFilter('date', formatDate)
  return engine
}

function compileUncached(text: string, form: Form): CompiledTemplate {
  const engine = ENGINES[form]
  const templates = guarded(() => engine.parse(text))
  const names = guarded(() => findNames(templates))
  if ('message' in names) throw templateError(names.message, names.token)
  const parts = partsOf(templates)
  return parts === null ? evaluating(engine, templates, names) : filling(parts, form)
}

function evaluating(engine: Liquid, templates: Template[], { variables, assigned }: Names): CompiledTemplate {
  // A name that is assigned in one branch is empty in the others.
  const unassigned = Object.fromEntries([...assigned].map((name) => [name, null]))
  return (read) => {
    const scope: Record<string, Scalar> = { ...unassigned }
    for (const name of variables) scope[name] = read(name)
    // `split` and `first` can cut a surrogate pair in half.
    return guarded(() => engine.renderSync(templates, scope) as string).toWellFormed()
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

function filling(parts: Parts, form: Form): CompiledTemplate {
  return (read) => {
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
    if (made > RENDERED_MAX) throw new TemplateError(TOO_MUCH)
    return text
  }
}
