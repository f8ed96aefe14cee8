// Which names a file exports, and which names of other files it uses.
import ts from 'typescript'
import { pathOf } from './imports.ts'
import type { SourceFile } from './source-file.ts'
import { nodesOf, parse } from './syntax.ts'

/** The values that the file defines and exports by name. What it passes on from other files is a use of these. */
export function exportsOf(file: SourceFile): string[] {
  return parse(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement))
      return statement.moduleSpecifier === undefined ? specifiersOf(statement).values : []
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) return []
    // A default export is what the runtime of a Worker calls.
    return declaredBy(statement).filter((name) => name !== 'default')
  })
}

/** Every name that users of the file can import, with types and with what it passes on. */
export function importableFrom(path: string, read: (path: string) => SourceFile): string[] {
  const file = read(path)
  const names = parse(file).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return declaredBy(statement)
    if (statement.exportClause !== undefined) return specifiersOf(statement).all
    const { text } = statement.moduleSpecifier as ts.StringLiteral
    return importableFrom(pathOf(file, text), read)
  })
  return [...new Set(names)]
}

function declaredBy(statement: ts.Statement): string[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  if (ts.isExportAssignment(statement) || modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword))
    return ['default']
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
  return [(statement as ts.FunctionDeclaration).name!.text]
}

/** `path name` for each name of another file that the file imports, exports on or names in a type; `path *` for all of its names. */
export function usesOf(file: SourceFile): string[] {
  // Imports inside of statements are rare.
  const nodes = /\bimport\(/.test(file.text) ? nodesOf(parse(file)) : parse(file).statements
  return nodes.flatMap((node) => {
    if (ts.isImportDeclaration(node))
      return usedOf(file, node.moduleSpecifier, node.importClause?.namedBindings)
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
      return usedOf(file, node.moduleSpecifier, node.exportClause)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      return usedOf(file, node.arguments[0]!, namesAwaited(node))
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      return usedOf(file, node.argument.literal)
    return []
  })
}

type Bindings = ts.NamedImportBindings | ts.NamedExportBindings | ts.ObjectBindingPattern | undefined

function usedOf(file: SourceFile, specifier: ts.Node, bindings?: Bindings): string[] {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return []
  const target = pathOf(file, specifier.text)
  if (bindings !== undefined && ts.isObjectBindingPattern(bindings))
    return bindings.elements.map(({ propertyName, name }) => `${target} ${(propertyName ?? name).getText()}`)
  if (bindings === undefined || ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings))
    return [`${target} *`]
  return bindings.elements.map(({ propertyName, name }) => `${target} ${(propertyName ?? name).text}`)
}

/** The pattern of `const { a } = await import('./b.ts')`. */
function namesAwaited(call: ts.CallExpression): ts.ObjectBindingPattern | undefined {
  const { parent } = call.parent
  return ts.isAwaitExpression(call.parent) &&
    ts.isVariableDeclaration(parent) &&
    ts.isObjectBindingPattern(parent.name)
    ? parent.name
    : undefined
}

function specifiersOf({ isTypeOnly, exportClause }: ts.ExportDeclaration) {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return { all: [], values: [] }
  const values = exportClause.elements.filter((one) => !isTypeOnly && !one.isTypeOnly)
  const namesOf = (elements: readonly ts.ExportSpecifier[]) => elements.map(({ name }) => name.text)
  return { all: namesOf(exportClause.elements), values: namesOf(values) }
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []))
}
