// Reads the project's own text files. Skips generated files and installed packages.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceFile {
  /** Relative to the project: `src/engine/plan.ts`. */
  readonly path: string
  readonly text: string
}

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'data', 'golden', 'results', '.wrangler'])
const GENERATED = 'src/client/schema.ts'
const READ = /\.(?:ts|tsx|js|md|css|html|ya?ml|sh)$/

/** Every text file in the given files and folders, in order of path. */
export function readSourceFiles(roots: readonly string[]): SourceFile[] {
  return roots
    .flatMap((root) => pathsIn(root))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }))
}

/** A file that is named itself is read with any ending. */
function pathsIn(path: string, isAsked = true): string[] {
  if (statSync(join(PROJECT, path)).isFile()) return isAsked || READ.test(path) ? [path] : []
  return readdirSync(join(PROJECT, path))
    .filter((name) => !SKIPPED.has(name))
    .flatMap((name) => pathsIn(`${path}/${name}`, false))
    .filter((found) => found !== GENERATED)
}

export function isScript(file: SourceFile): boolean {
  return /\.tsx?$/.test(file.path)
}

export function isIn(folder: string): (file: SourceFile) => boolean {
  return (file) => file.path.startsWith(`${folder}/`)
}

/** The text without its comments. A `//` inside a string counts as a comment too. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
