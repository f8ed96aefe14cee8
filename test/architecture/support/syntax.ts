// What the guards read from the syntax of a file. Types are not resolved.
import ts from 'typescript'
import type { SourceFile } from './source-file.ts'

const parsed = new WeakMap<SourceFile, ts.SourceFile>()

/** Each file is parsed once for all guards that read the same list. */
export function parse(file: SourceFile): ts.SourceFile {
  let source = parsed.get(file)
  if (source === undefined) {
    source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)
    parsed.set(file, source)
  }
  return source
}

/** The node and all nodes below it. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* nodesOf(child)
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
