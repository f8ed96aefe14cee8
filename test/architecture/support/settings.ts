// Which optional settings functions take, and which settings a file gives a value.
import ts from 'typescript'
import type { SourceFile } from './source-file.ts'
import { nodesOf, parse } from './syntax.ts'

/**
 * The optional properties of a type called …Settings or …Options, and of a parameter called `settings` or `options` whose type is written
 * in its place.
 */
export function optionalSettings(file: SourceFile): string[] {
  return nodesOf(parse(file)).flatMap((node) => {
    if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node))
      return /(?:Settings|Options)$/.test(node.name.text) ? optionalIn(node) : []
    if (ts.isParameter(node) && /^(?:settings|options)$/.test(node.name.getText()) && node.type)
      return optionalIn(node.type)
    return []
  })
}

function optionalIn(type: ts.Node): string[] {
  return nodesOf(type)
    .filter(ts.isPropertySignature)
    .filter(({ questionToken }) => questionToken !== undefined)
    .map(({ name }) => name.getText())
}

/**
 * The properties that the file gives a value, by name. `busyLingerMs: settings.busyLingerMs` passes a setting on, and so does the
 * shorthand `{ busyLingerMs }` of a destructured one: neither gives it a value.
 */
export function settingsGiven(file: SourceFile): string[] {
  const nodes = nodesOf(parse(file))
  const destructured = new Set(nodes.filter(ts.isBindingElement).map(({ name }) => name.getText()))
  return nodes.flatMap((node) => {
    if (ts.isShorthandPropertyAssignment(node))
      return destructured.has(node.name.text) ? [] : [node.name.text]
    if (ts.isMethodDeclaration(node)) return [node.name.getText()]
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      return ts.isPropertyAccessExpression(node.left) ? [node.left.name.text] : []
    if (!ts.isPropertyAssignment(node)) return []
    const name = node.name.getText()
    const { initializer: value } = node
    return ts.isPropertyAccessExpression(value) && value.name.text === name ? [] : [name]
  })
}
