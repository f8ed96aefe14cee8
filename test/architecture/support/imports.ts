// Finds what a file imports, by its text.
import { posix } from 'node:path'
import type { SourceFile } from './source-file.ts'

const IMPORT =
  /^(?:import|export)\s(type\s)?[^'"]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm

/** The module names as written: `./plan.ts`, `node:fs`, `hono`. Imports of types run nothing, and can be left out. */
export function importedNames({ text }: SourceFile, { types = true } = {}): string[] {
  return [...text.matchAll(IMPORT)]
    .filter(([, isType]) => types || isType === undefined)
    .map(([, , from, alone, dynamic]) => (from ?? alone ?? dynamic)!)
}

/** The path of a module that a file imports, or its name if it is a package. */
export function pathOf(file: SourceFile, name: string): string {
  return name.startsWith('.') ? posix.join(posix.dirname(file.path), name) : name
}

/** The project's files that a file imports, by path. */
export function importedPaths(file: SourceFile): string[] {
  return importedNames(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => pathOf(file, name))
}

/** Packages and Node modules. */
export function importedPackages(file: SourceFile): string[] {
  return importedNames(file).filter((name) => !name.startsWith('.'))
}
