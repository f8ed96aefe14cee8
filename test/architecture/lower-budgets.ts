// npm run budgets: lowers the numbers of test/architecture/budgets.json to today's, and removes what is used from its list of exports.
// Raises and adds nothing, but sets a number or a list that is missing: a folder can be new.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { linesOfFolders, longFunctions, STEP } from './guards/budgets.ts'
import { exportsOfTests } from './guards/unused.ts'
import { BUDGETS_FILE, type Budgets, budgetsIn } from './support/budgets-file.ts'
import { readSourceFiles } from './support/source-file.ts'

const files = readSourceFiles(['src', 'web', 'test', 'scripts', 'package.json', BUDGETS_FILE])
const rounded = new Map(
  [...linesOfFolders(files)].map(([name, lines]) => [name, Math.ceil(lines / STEP) * STEP] as const),
)
const long = longFunctions(files)
const { folders = {}, functions = Object.fromEntries(long), exports } = budgetsIn(files)

const budgets: Budgets = {
  folders: least(rounded, (name) => folders[name] ?? Number.POSITIVE_INFINITY),
  functions: least(long, (name) => functions[name]),
  exports: exportsOfTests(files).filter((one) => exports?.includes(one) ?? true),
}
const file = fileURLToPath(new URL(`../../${BUDGETS_FILE}`, import.meta.url))
writeFileSync(file, `${JSON.stringify(budgets, null, 2)}\n`)

/** Nothing is written for a name without a number. */
function least(
  today: ReadonlyMap<string, number>,
  numberOf: (name: string) => number | undefined,
): Record<string, number> {
  return Object.fromEntries(
    [...today].flatMap(([name, lines]) => {
      const number = numberOf(name)
      return number === undefined ? [] : [[name, Math.min(number, lines)]]
    }),
  )
}
