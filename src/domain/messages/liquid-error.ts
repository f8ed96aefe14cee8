// Says what LiquidJS finds wrong in our words: where it is and what to do, and nothing of any person.
import { LiquidError, type Token } from 'liquidjs'
import { TemplateError } from '../errors.ts'
import { FILTERS, FilterError, TAGS } from './liquid-language.ts'

export const TOO_MUCH = 'It makes more text than a message can have. Shorten it.'

/** Runs a step of LiquidJS and turns whatever it throws into a TemplateError. */
export function guarded<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw LiquidError.is(error)
      ? templateError(messageOf(error as LiquidError), tokenOf(error))
      : unreadable(error)
  }
}

export function templateError(message: string, token: Token): TemplateError {
  const [line, column] = token.getPosition()
  return new TemplateError(`Line ${line}, column ${column}: ${message}`)
}

type Thrown = { token: Token; originalError?: unknown }

function tokenOf(error: unknown): Token {
  return (error as Thrown).token
}

function messageOf(error: LiquidError): string {
  const { originalError } = error as unknown as Thrown
  if (originalError instanceof FilterError) return originalError.message
  if (originalError instanceof RangeError) return TOO_DEEP
  // By the words of the template: the message of LiquidJS has what an index such as [firstName] came to.
  if (error.name === 'UndefinedVariableError')
    return `There is nothing at ${tokenOf(error).getText().trim()}.`
  const said = originalError instanceof Error ? originalError.message : error.message
  return inOurWords(said) ?? (error.name === 'RenderError' ? UNFIT : UNREADABLE)
}

const UNREADABLE = 'This is not Liquid.'
const UNFIT = 'A filter does not take this value.'
const TOO_DEEP = 'It is nested too deeply.'

/** What LiquidJS says, cut to what it names: the rest quotes the template, which may hold private words. */
const KNOWN: readonly [RegExp, string][] = [
  [
    /^tag "([^"]*)" not found.*$/s,
    `There is no tag "$1" here. There are ${[...TAGS].join(', ')}, closed by end… and the name.`,
  ],
  [
    /^undefined filter: (\S+?)(,.*)?$/s,
    `There is no filter "$1". There are date, ${[...FILTERS].join(', ')}.`,
  ],
  [/^.* not closed.*$/s, 'This is not closed.'],
  [/^(\w+) expect (\d+) arguments.*$/s, 'The filter "$1" needs a value after a colon.'],
  [/^(?:memory alloc|parse length) limit exceeded.*$/s, TOO_MUCH],
  [/^invalid value expression.*$/s, 'There is no value here.'],
  [/^(expected "?.{1,20}?"? (?:before|after) filter(?: name)?).*$/s, 'This cannot be read: $1.'],
]

function inOurWords(said: string): string | null {
  const known = KNOWN.find(([words]) => words.test(said))
  return known === undefined ? null : said.replace(...known)
}

/** What goes wrong without a place, such as a text that is too long. */
function unreadable(error: unknown): TemplateError {
  if (error instanceof RangeError) return new TemplateError(TOO_DEEP)
  return new TemplateError(inOurWords(error instanceof Error ? error.message : '') ?? UNREADABLE)
}
