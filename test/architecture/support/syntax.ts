// What the guards read from the syntax of a file. Types are not resolved.
import ts from 'typescript'
import type { SourceFile } from './source-file.ts'

const parsed = new Map<string, ts.SourceFile>()

/** A file is parsed once for all guards. */
export function parse({ path, text }: SourceFile): ts.SourceFile {
  const known = parsed.get(path)
  if (known?.text === text) return known
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  parsed.set(path, source)
  return source
}

/** The node and all nodes below it, level by level. */
export function nodesOf(node: ts.Node): ts.Node[] {
  const found = [node]
  for (const one of found) ts.forEachChild(one, (child) => void found.push(child))
  return found
}

/** The functions with a body, by their own name or that of the variable or property they are the value of. */
export function* functionsOf(file: SourceFile): Generator<{ name: string; node: ts.Node }> {
  for (const node of nodesOf(parse(file))) {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) continue
    const named = node.name ?? (node.parent as { name?: ts.Node }).name
    yield { name: named?.getText() ?? '(anonymous)', node }
  }
}

export function lengthOf(node: ts.Node): number {
  const lineAt = (position: number) => node.getSourceFile().getLineAndCharacterOfPosition(position).line
  return lineAt(node.end) - lineAt(node.getStart()) + 1
}
