// How many lines a folder and a function may have. The numbers are in test/architecture/budgets.json; `npm run budgets` lowers them.

import { isIn, isScript, type SourceFile } from '../support/source-file.ts'
import { functionsOf, lengthOf } from '../support/syntax.ts'
import type { Guard, Planted } from './guard.ts'

export const BUDGETS_FILE = 'test/architecture/budgets.json'
const STEP = 100
const MAX_FUNCTION_LINES = 80

/** Folder → lines, and function → lines for those that are longer than the rule allows. */
export type Budgets = { folders: Record<string, number>; functions: Record<string, number> }

export const FOLDER_LINES: Guard = {
  rule: 'each folder of src and test, and web, has at most the lines of its budget, and its budget at most 199 lines to spare',
  check(files) {
    const budgets = budgetsIn(files).folders
    const actual = linesOfFolders(files)
    return [
      ...[...actual].flatMap(([folder, lines]) => {
        const budget = budgets[folder]
        if (budget === undefined) return [`${folder} has no budget: run npm run budgets`]
        if (lines > budget) return [`${folder} has ${lines} lines, its budget is ${budget}`]
        return budget - lines < 2 * STEP
          ? []
          : [`${folder} has ${lines} lines: lower its budget of ${budget}`]
      }),
      ...missing(budgets, actual, 'is no folder any more'),
    ]
  },
  planted: [
    {
      violation: 'a folder with a line too many, one with 200 lines to spare and one without a budget',
      tree: {
        ...planted({
          folders: { 'src/app': 100, 'src/cli': 300, web: 100, 'test/gone': 100 },
          functions: {},
        }),
        'src/app/users/users.ts': '//\n'.repeat(60),
        'src/app/users/bulk.ts': '//\n'.repeat(41),
        'src/cli/terce.ts': '//\n'.repeat(100),
        'src/http/app.ts': '//\n',
        'web/src/app.tsx': '//\n'.repeat(100),
        'web/src/style.css': '/**/\n',
      },
      reported: [
        'src/app has 101 lines, its budget is 100',
        'src/cli has 100 lines: lower its budget of 300',
        'src/http has no budget: run npm run budgets',
        'test/gone is no folder any more: run npm run budgets',
      ],
    },
  ],
}

export const FUNCTION_LENGTH: Guard = {
  rule: `no function in src is longer than ${MAX_FUNCTION_LINES} lines, and those that are listed do not grow`,
  check(files) {
    const listed = budgetsIn(files).functions
    const long = longFunctions(files)
    return [
      ...[...long].flatMap(([name, lines]) => {
        const most = listed[name] ?? MAX_FUNCTION_LINES
        if (lines > most) return [`${name} has ${lines} lines, at most ${most} are allowed`]
        return lines < most ? [`${name} has ${lines} lines: lower its number ${most}`] : []
      }),
      ...missing(listed, long, 'is not too long any more'),
    ]
  },
  planted: [
    {
      violation: 'a function with 81 lines, one that grew, one that shrank and one that is short again',
      tree: {
        ...planted({
          folders: {},
          functions: { 'src/b.ts grew': 90, 'src/b.ts shrank': 100, 'src/b.ts short': 99 },
        }),
        'src/a.ts': `${functionOf('tooLong', 81)}${functionOf('longEnough', 80)}`,
        'src/b.ts': `${functionOf('grew', 91)}${functionOf('shrank', 99)}${functionOf('short', 5)}`,
      },
      reported: [
        'src/a.ts tooLong has 81 lines, at most 80 are allowed',
        'src/b.ts grew has 91 lines, at most 90 are allowed',
        'src/b.ts shrank has 99 lines: lower its number 100',
        'src/b.ts short is not too long any more: run npm run budgets',
      ],
    },
    {
      violation: 'a method and an arrow function that are too long',
      tree: {
        ...planted({ folders: {}, functions: {} }),
        'src/c.ts': `class C {\n  run() {\n${'\n'.repeat(79)}  }\n}\nconst f = () => {\n${'\n'.repeat(79)}}\n`,
      },
      reported: [
        'src/c.ts run has 81 lines, at most 80 are allowed',
        'src/c.ts f has 81 lines, at most 80 are allowed',
      ],
    },
  ],
}

/** Lowered to today's values. A number that is missing is set, so that a folder can be new; none is raised. */
export function lowered(files: readonly SourceFile[]): Budgets {
  const { folders, functions } = budgetsIn(files)
  const least = (known: Record<string, number>, today: Map<string, number>, round: number) =>
    Object.fromEntries(
      [...today]
        .map(([name, lines]) => [name, Math.ceil(lines / round) * round] as const)
        .map(([name, lines]) => [name, Math.min(known[name] ?? lines, lines)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  return {
    folders: least(folders, linesOfFolders(files), STEP),
    functions: least(functions, longFunctions(files), 1),
  }
}

function budgetsIn(files: readonly SourceFile[]): Budgets {
  return JSON.parse(files.find(({ path }) => path === BUDGETS_FILE)!.text)
}

const missing = (listed: Record<string, number>, found: Map<string, number>, why: string) =>
  Object.keys(listed)
    .filter((name) => !found.has(name))
    .map((name) => `${name} ${why}: run npm run budgets`)

/** Files that are directly in src or test count for these. */
function linesOfFolders(files: readonly SourceFile[]): Map<string, number> {
  const lines = new Map<string, number>()
  for (const file of files.filter(isScript)) {
    const [top, folder, ...rest] = file.path.split('/')
    const name = top === 'web' || rest.length === 0 ? top! : `${top}/${folder}`
    lines.set(name, (lines.get(name) ?? 0) + file.text.split('\n').length - 1)
  }
  return lines
}

function longFunctions(files: readonly SourceFile[]): Map<string, number> {
  const long = new Map<string, number>()
  for (const file of files.filter(isScript).filter(isIn('src'))) {
    if (file.text.split('\n').length <= MAX_FUNCTION_LINES) continue
    for (const one of functionsOf(file)) {
      const name = `${file.path} ${one.name}`
      const lines = lengthOf(one.node)
      if (lines > MAX_FUNCTION_LINES) long.set(name, Math.max(lines, long.get(name) ?? 0))
    }
  }
  return long
}

function planted(budgets: Budgets): Planted['tree'] {
  return { [BUDGETS_FILE]: JSON.stringify(budgets) }
}

function functionOf(name: string, lines: number): string {
  return `function ${name}() {\n${'  call()\n'.repeat(lines - 2)}}\n`
}
