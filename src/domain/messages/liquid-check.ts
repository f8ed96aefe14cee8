// Checks a parsed template: unknown names in any branch, and expressions without a meaning.
import { type PropertyAccessToken, type Template, type Token, TypeGuards, toValueSync, Value } from 'liquidjs'
import { FILTERS } from './liquid-language.ts'
import { VARIABLES, type VariableName } from './message-variables.ts'

/** The names that a template reads, message variables and names that it assigns, and how many values it has. */
export type Names = { variables: ReadonlySet<VariableName>; assigned: ReadonlySet<string>; values: number }

/** On one value. */
export const FILTERS_MAX = 20

type Flaw = { token: Token; message: string }

export function findNames(templates: readonly Template[]): Names | Flaw {
  const assigned = new Set<string>()
  const read: PropertyAccessToken[] = []
  let flaw: Flaw | null = null
  const note = (token: Token, message: string) => {
    flaw ??= { token, message }
  }

  function visit(template: Template): void {
    for (const { content } of template.localScope?.() ?? []) assigned.add(content)
    for (const argument of template.arguments?.() ?? []) {
      if (argument instanceof Value) visitValue(argument)
      else visitToken(argument)
    }
    if (template.children) for (const child of toValueSync(template.children(false, true))) visit(child)
  }

  function visitValue({ initial, filters }: Value): void {
    const { postfix } = initial
    if (!isWhole(postfix)) note(postfix[0]!, 'An operator or a filter is required between two values.')
    // LiquidJS adds the escaping of an output as one more.
    if (filters.filter(({ name }) => FILTERS.has(name)).length > FILTERS_MAX)
      note(postfix[0]!, `Use at most ${FILTERS_MAX} filters on one value.`)
    postfix.forEach(visitToken)
    for (const { args } of filters) {
      for (const arg of args) visitToken(Array.isArray(arg) ? arg[1] : arg)
    }
  }

  let values = 0
  function visitToken(token: Token | undefined): void {
    values += 1
    // LiquidJS counts a range up one by one; above 2^53 it never ends.
    if (TypeGuards.isRangeToken(token)) note(token, 'Ranges are not supported.')
    if (!TypeGuards.isPropertyAccessToken(token)) return
    if (token.variable === undefined) read.push(token)
    else visitToken(token.variable)
    token.props.forEach(visitToken)
  }

  templates.forEach(visit)
  const variables = new Set<VariableName>()
  for (const token of read) {
    const name = rootOf(token)
    if (isVariable(name)) variables.add(name)
    else if (!assigned.has(name)) note(token, `Unknown variable "${name}". Use ${VARIABLES.join(', ')}.`)
  }
  return flaw ?? { variables, assigned, values }
}

/** The name that a path such as `parts[0]` begins with. */
function rootOf({ props: [root] }: PropertyAccessToken): string {
  return root !== undefined && TypeGuards.isWordToken(root) ? root.getText() : ''
}

function isVariable(name: string): name is VariableName {
  return (VARIABLES as readonly string[]).includes(name)
}

/** LiquidJS accepts `{{ firstName lastName }}` but prints only the first value. */
function isWhole(postfix: readonly Token[]): boolean {
  let values = 0
  for (const token of postfix) {
    if (!TypeGuards.isOperatorToken(token)) values += 1
    else if (token.operator !== 'not' && --values < 1) return false
  }
  return values === 1
}
