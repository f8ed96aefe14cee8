// How many lines a folder and a function may have. The numbers are in test/architecture/budgets.json; `npm run budgets` lowers them.

import { budgetsFile, budgetsIn, staleIn } from '../support/budgets-file.ts'
import { isIn, isScript, type SourceFile } from '../support/source-file.ts'
import { functionsOf, lengthOf } from '../support/syntax.ts'
import type { Guard } from './guard.ts'

export const STEP = 100
const MAX_FUNCTION_LINES = 80

export const FOLDER_LINES: Guard = {
  rule: 'each folder of src and test, and web, has at most the lines of its budget, and its budget at most 199 lines to spare',
  check(files) {
    const budgets = budgetsIn(files).folders ?? {}
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
      ...staleIn(Object.keys(budgets), new Set(actual.keys()), 'is no folder any more'),
    ]
  },
  planted: [
    {
      violation: 'a folder with a line too many, one with 200 lines to spare and one without a budget',
      tree: {
        ...budgetsFile({
          folders: { 'src/app': 100, 'src/cli': 300, web: 100, 'test/gone': 100 },
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
    const listed = budgetsIn(files).functions ?? {}
    const long = longFunctions(files)
    return [
      ...[...long].flatMap(([name, lines]) => {
        const most = listed[name] ?? MAX_FUNCTION_LINES
        if (lines > most) return [`${name} has ${lines} lines, at most ${most} are allowed`]
        return lines < most ? [`${name} has ${lines} lines: lower its number ${most}`] : []
      }),
      ...staleIn(Object.keys(listed), new Set(long.keys()), 'is not too long any more'),
    ]
  },
  planted: [
    {
      violation: 'a function with 81 lines, one that grew, one that shrank and one that is short again',
      tree: {
        ...budgetsFile({
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
        ...budgetsFile({}),
        'src/c.ts': `class C {\n  run() {\n${'\n'.repeat(79)}  }\n}\nconst f = () => {\n${'\n'.repeat(79)}}\n`,
      },
      reported: [
        'src/c.ts run has 81 lines, at most 80 are allowed',
        'src/c.ts f has 81 lines, at most 80 are allowed',
      ],
    },
  ],
}

/** Files that are directly in src or test count for these. */
export function linesOfFolders(files: readonly SourceFile[]): Map<string, number> {
  const lines = new Map<string, number>()
  const counted = files.filter(isScript).filter(({ path }) => /^(?:src|web|test)\//.test(path))
  for (const file of counted) {
    const [top, folder, ...rest] = file.path.split('/')
    const name = top === 'web' || rest.length === 0 ? top! : `${top}/${folder}`
    lines.set(name, (lines.get(name) ?? 0) + file.text.split('\n').length - 1)
  }
  return lines
}

export function longFunctions(files: readonly SourceFile[]): Map<string, number> {
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

function functionOf(name: string, lines: number): string {
  return `function ${name}() {\n${'  call()\n'.repeat(lines - 2)}}\n`
}
