// test/architecture/budgets.json: the numbers that only shrink.
import type { SourceFile } from './source-file.ts'

export const BUDGETS_FILE = 'test/architecture/budgets.json'

/** Folder → lines, function → lines for those that are longer than the rule allows, and the exports that only tests use. */
export type Budgets = {
  folders: Record<string, number>
  functions: Record<string, number>
  exports: readonly string[]
}

export function budgetsIn(files: readonly SourceFile[]): Partial<Budgets> {
  return JSON.parse(files.find(({ path }) => path === BUDGETS_FILE)!.text)
}

/** Entries of the file that nothing in the tree needs. */
export function staleIn(listed: readonly string[], found: ReadonlySet<string>, why: string): string[] {
  return listed.filter((name) => !found.has(name)).map((name) => `${name} ${why}: run npm run budgets`)
}

/** For planted trees. */
export function budgetsFile(budgets: Partial<Budgets>): Record<string, string> {
  return { [BUDGETS_FILE]: JSON.stringify(budgets) }
}
