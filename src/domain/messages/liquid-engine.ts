// Configures LiquidJS: the allowed tags and filters, and the charge for each step of a rendering.
import {
  Context,
  defaultOperators,
  type FilterImplOptions,
  Liquid,
  type Operators,
  type Template,
} from 'liquidjs'
import { FILTERS, type FilterCost, formatDate, TAGS } from './liquid-language.ts'
import { escapeHtml } from './markup.ts'
import type { Scalar } from './message-variables.ts'
import { LimitError, RENDERED_MAX, type RenderBudget, searchWork, sizeOf, TOO_LONG } from './render-budget.ts'

/** In HTML every value is escaped; the template's own text is markup and stays as it is. */
export type Form = 'text' | 'html'

export const TEMPLATE_MAX = 16_384

const engine = createEngine()

/** Throws errors of LiquidJS. */
export function parse(text: string): Template[] {
  return engine.parse(text)
}

/** Throws errors of LiquidJS, with a LimitError inside if the work is too much. */
export function evaluate(
  templates: Template[],
  scope: Record<string, Scalar>,
  form: Form,
  budget: RenderBudget,
): string {
  return engine.renderSync(templates, new RenderContext(scope, form, budget)) as string
}

class RenderContext extends Context {
  readonly form: Form
  readonly budget: RenderBudget
  #rendered = 0

  constructor(scope: Record<string, Scalar>, form: Form, budget: RenderBudget) {
    // LiquidJS passes the size of a result to `memoryLimit` before it makes it, and checks `renderLimit` before each tag and output.
    const memoryLimit = { use: checkLength, check() {} }
    const renderLimit = { use() {}, check: () => budget.step() }
    const limits = { memoryLimit, renderLimit, liquid: engine } as unknown as Context
    super(scope, engine.options, { sync: true }, limits)
    this.form = form
    this.budget = budget
  }

  /** Reads a variable. Its size is charged here for steps that are charged nowhere else, such as the comparisons of `case`. */
  override *_get(paths: Parameters<Context['_get']>[0]): IterableIterator<unknown> {
    const value: unknown = yield super._get(paths)
    this.budget.step(sizeOf(value))
    return value
  }

  output(value: unknown): string {
    this.budget.step(sizeOf(value))
    const made = Array.isArray(value) ? value.join('') : String(value ?? '')
    this.#rendered += made.length
    checkLength(this.#rendered)
    return this.form === 'html' ? escapeHtml(made) : made
  }
}

function checkLength(length: number): void {
  if (length > RENDERED_MAX) throw new LimitError(TOO_LONG)
}

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    // No includes. Without this, LiquidJS logs a warning at every start on runtimes other than Node.
    relativeReference: false,
    parseLimit: TEMPLATE_MAX,
    operators: chargedOperators(),
    outputEscape: function (this: { context: RenderContext }, value: unknown) {
      return this.context.output(value)
    },
  })
  for (const name of Object.keys(liquid.tags)) if (!TAGS.has(name)) delete liquid.tags[name]
  liquid.registerFilter('date', formatDate)
  for (const [name, filter] of Object.entries(liquid.filters)) {
    const cost = FILTERS.get(name)
    if (cost === undefined) liquid.unregisterFilter(name)
    else liquid.registerFilter(name, charged(filter, cost))
  }
  return liquid
}

type Filter = (this: { context: RenderContext }, value: unknown, ...args: unknown[]) => unknown

function charged(filter: FilterImplOptions, { growth = 1, searches }: FilterCost): FilterImplOptions {
  const run = filter as unknown as Filter
  return function (this: { context: RenderContext }, value: unknown, ...args: unknown[]) {
    const { budget } = this.context
    budget.step((sizeOf(value) + sizeOf(args)) * growth + (searches ? searchWork(value, args[0]) : 0))
    const made = run.call(this, value, ...args)
    budget.use(sizeOf(made))
    checkLength(sizeOf(made))
    return made
  } as unknown as FilterImplOptions
}

function chargedOperators(): Operators {
  const entries = Object.entries(defaultOperators).map(([name, run]) => {
    const searches = name === 'contains'
    // A unary operator gets its context as the second argument.
    const operator = (left: unknown, right: unknown, context?: RenderContext) => {
      const { budget } = context ?? (right as RenderContext)
      const other = context === undefined ? 0 : sizeOf(right)
      budget.step(sizeOf(left) + other + (searches ? searchWork(left, right) : 0))
      return (run as (...given: unknown[]) => never)(left, right, context)
    }
    return [name, operator]
  })
  return Object.fromEntries(entries)
}
