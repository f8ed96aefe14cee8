// Finds the places of a source file where one small change alters its meaning. Types, imports and telemetry do not change.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export type Mutant = {
  id: string
  file: string
  line: number
  operator: string
  start: number
  end: number
  replacement: string
}

type Change = Pick<Mutant, 'operator' | 'start' | 'end' | 'replacement'>

const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
}

/** Parts of SQL: a dropped predicate, a moved boundary, a dropped clause, a changed step. */
const SQL_CHANGES: readonly (readonly [operator: string, pattern: RegExp, replacement: string])[] = [
  [
    'drop SQL predicate',
    /\sAND (?:[^\s()$]|\([^()]*\)|\$\{[^{}]*\}| (?!AND|OR|ORDER|LIMIT|RETURNING|GROUP|WHERE|ON CONFLICT|FOR|SET))+/g,
    ' ',
  ],
  [
    'first SQL predicate',
    /\bWHERE (?:[^\s()$]|\([^()]*\)|\$\{[^{}]*\}| (?!AND|OR|ORDER|LIMIT|RETURNING|GROUP|ON CONFLICT|FOR))+(?= AND)/g,
    'WHERE true',
  ],
  ['SQL boundary', /(?<= )<=(?= )/g, '<'],
  ['SQL boundary', /(?<= )<(?= )/g, '<='],
  ['SQL boundary', /(?<= )>=(?= )/g, '>'],
  ['SQL boundary', /(?<= )>(?= )/g, '>='],
  [
    'drop SQL clause',
    /\sON CONFLICT(?: \([^)]*\))? DO NOTHING|\sFOR UPDATE(?: OF \w+)?(?: SKIP LOCKED)?|\sSKIP LOCKED/g,
    ' ',
  ],
  ['drop SQL order', /\sORDER BY [\w., ]+?(?= LIMIT|\)|`|'|$)/g, ' '],
  ['SQL step', /(?<=\w) \+ 1\b/g, ''],
  ['SQL function', /\b(?:max|greatest)(?=\()/g, 'min'],
]

export function mutantsIn(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const changes: Change[] = []
  visit(source, (node) => changes.push(...changesAt(node, source)))
  return changes.map((change) => {
    const line = source.getLineAndCharacterOfPosition(change.start).line + 1
    const around = text.slice(Math.max(0, change.start - 60), change.end + 60)
    const id = createHash('sha256')
      .update(`${file} ${around} ${change.replacement}`)
      .digest('hex')
      .slice(0, 12)
    return { id, file, line, ...change }
  })
}

export function applied(
  text: string,
  { start, end, replacement }: Pick<Change, 'start' | 'end' | 'replacement'>,
): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function visit(node: ts.Node, on: (node: ts.Node) => void): void {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
  if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return
  if (ts.isExpressionStatement(node) && /^(?:deps\.)?telemetry\(/.test(node.getText())) return
  on(node)
  ts.forEachChild(node, (child) => visit(child, on))
}

function changesAt(node: ts.Node, source: ts.SourceFile): Change[] {
  const of = (operator: string, part: ts.Node, replacement: string): Change[] => [
    { operator, start: part.getStart(source), end: part.getEnd(), replacement },
  ]
  if (ts.isBinaryExpression(node)) {
    const swapped = SWAPPED[node.operatorToken.getText()]
    return swapped === undefined ? [] : of('swap operator', node.operatorToken, swapped)
  }
  if (ts.isAwaitExpression(node)) return of('drop await', node, `(${node.expression.getText()})`)
  if (ts.isIfStatement(node))
    return of('negate condition', node.expression, `!(${node.expression.getText()})`)
  if (ts.isConditionalExpression(node))
    return of('negate condition', node.condition, `!(${node.condition.getText()})`)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return of('flip boolean', node, 'false')
  if (node.kind === ts.SyntaxKind.FalseKeyword) return of('flip boolean', node, 'true')
  if (ts.isNumericLiteral(node))
    return of('change number', node, node.text === '0' ? '1' : `(${node.getText()} * 10)`)
  if (ts.isExpressionStatement(node)) return of('drop statement', node, ';')
  if (ts.isCallExpression(node) && node.arguments.length > 1) {
    const [last, before] = [node.arguments.at(-1)!, node.arguments.at(-2)!]
    return [{ operator: 'drop argument', start: before.getEnd(), end: last.getEnd(), replacement: '' }]
  }
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
    return sqlChanges(node.getText().slice(1, -1), node.getStart(source) + 1)
  return []
}

function sqlChanges(text: string, offset: number): Change[] {
  if (!/\b(?:SELECT|UPDATE|INSERT|DELETE|WHERE|JOIN|ORDER BY|LIMIT)\b/.test(text)) return []
  return SQL_CHANGES.flatMap(([operator, pattern, replacement]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      operator,
      start: offset + index,
      end: offset + index + found.length,
      replacement,
    })),
  )
}

/** Whether the changed file can be parsed. */
export function isValid(mutant: Mutant): boolean {
  const { file: fileName } = mutant
  const text = applied(readFileSync(fileName, 'utf8'), mutant)
  return ts.transpileModule(text, { fileName, reportDiagnostics: true }).diagnostics?.length === 0
}
