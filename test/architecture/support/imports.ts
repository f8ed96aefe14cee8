// Finds what a file imports, type imports included.
import { posix } from 'node:path'
import type { SourceFile } from './source-file.ts'

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g

/** The module names as written: `./plan.ts`, `node:fs`, `hono`. */
export function importedNames(file: SourceFile): string[] {
  return [...file.text.matchAll(IMPORT)].map((match) => match[1]!)
}

/** The project's files that a file imports, by path. */
export function importedPaths(file: SourceFile): string[] {
  return importedNames(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(file.path), name))
}

/** Packages and Node modules. */
export function importedPackages(file: SourceFile): string[] {
  return importedNames(file).filter((name) => !name.startsWith('.'))
}
