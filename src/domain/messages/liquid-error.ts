// Rewrites LiquidJS errors: position and remedy, without any personal data.
import { LiquidError, type Token } from 'liquidjs'
import { TemplateError } from '../errors.ts'
import { FILTERS, FilterError, TAGS } from './liquid-language.ts'
import { LimitError, TOO_LONG } from './render-budget.ts'

/** Runs a step of LiquidJS and turns every error into a TemplateError. */
export function guarded<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof LimitError) throw error
    throw LiquidError.is(error)
      ? templateError(messageOf(error as LiquidError), tokenOf(error), codeOf(error))
      : unreadable(error)
  }
}

export function templateError(message: string, token: Token, code?: TemplateError['code']): TemplateError {
  const [line, column] = token.getPosition()
  return new TemplateError(`Line ${line}, column ${column}: ${message}`, code)
}

type Thrown = { token: Token; originalError?: unknown }

function tokenOf(error: unknown): Token {
  return (error as Thrown).token
}

function codeOf(error: unknown): TemplateError['code'] {
  const { originalError } = error as Thrown
  return originalError instanceof LimitError ? originalError.code : 'BAD_TEMPLATE'
}

function messageOf(error: LiquidError): string {
  const { originalError } = error as unknown as Thrown
  if (originalError instanceof FilterError || originalError instanceof LimitError)
    return originalError.message
  if (originalError instanceof RangeError) return TOO_DEEP
  // Quotes the template: the LiquidJS message contains the value of an index such as [firstName].
  if (error.name === 'UndefinedVariableError') return `${tokenOf(error).getText().trim()} has no value.`
  const said = originalError instanceof Error ? originalError.message : error.message
  return rewritten(said) ?? (error.name === 'RenderError' ? UNFIT : UNREADABLE)
}

const UNREADABLE = 'This is not Liquid.'
const UNFIT = 'A filter does not accept this value.'
const TOO_DEEP = 'It is nested too deeply.'

/** Keeps only the names in a LiquidJS message: the rest quotes the template, which may contain private text. */
const KNOWN: readonly [RegExp, string][] = [
  [
    /^tag "([^"]*)" not found.*$/s,
    `Unknown tag "$1". Use ${[...TAGS].join(', ')}, closed by end and the name.`,
  ],
  [/^undefined filter: (\S+?)(,.*)?$/s, `Unknown filter "$1". Use ${[...FILTERS.keys()].join(', ')}.`],
  [/^.* not closed.*$/s, 'This is not closed.'],
  [/^(\w+) expect (\d+) arguments.*$/s, 'The filter "$1" needs a value after a colon.'],
  [/^parse length limit exceeded.*$/s, TOO_LONG],
  [/^invalid value expression.*$/s, 'A value is missing here.'],
  [/^(expected "?.{1,20}?"? (?:before|after) filter(?: name)?).*$/s, 'Cannot parse this: $1.'],
]

function rewritten(said: string): string | null {
  const known = KNOWN.find(([words]) => words.test(said))
  return known === undefined ? null : said.replace(...known)
}

/** An error without a position, such as a text that is too long. */
function unreadable(error: unknown): TemplateError {
  if (error instanceof RangeError) return new TemplateError(TOO_DEEP)
  return new TemplateError(rewritten(error instanceof Error ? error.message : '') ?? UNREADABLE)
}
