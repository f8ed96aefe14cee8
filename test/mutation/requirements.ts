// The rows of docs/requirements.md, and for each an edit that breaks its requirement: requirements.txt. An entry there is the row, the
// file, the lines of the text to replace (`- `) and of its replacement (`+ `), or the reason why no edit of code breaks it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { applied, type Mutant } from './mutants.ts'
import type { Stage } from './suites.ts'

/** A requirement and the test that shows it; `stage` is null for a file of measurements. */
export type Row = { requirement: string; stage: Stage | null }

export type Breakage =
  | { requirement: string; file: string; find: string; replacement: string }
  | { requirement: string; reason: string }

const NOT_CODE = 'not broken by an edit of code: '

export function readRows(): Row[] {
  const page = readFileSync('docs/requirements.md', 'utf8')
  return [...page.matchAll(/^- (.+?): `([\w/.-]+)(?: -t (\w+))?`/gm)].map(([, requirement, file, names]) => {
    const isTest = file!.endsWith('.test.ts')
    return { requirement: requirement!, stage: isTest ? { files: [file!], ...(names && { names }) } : null }
  })
}

export function readBreakages(): Breakage[] {
  const text = readFileSync('test/mutation/requirements.txt', 'utf8').trimEnd()
  return text.split('\n\n').map((entry) => {
    const [requirement = '', file = '', ...lines] = entry.split('\n')
    if (file.startsWith(NOT_CODE)) return { requirement, reason: file.slice(NOT_CODE.length) }
    const of = (sign: string) =>
      lines
        .filter((line) => line[0] === sign)
        .map((line) => line.slice(2))
        .join('\n')
    return { requirement, file, find: of('-'), replacement: of('+') }
  })
}

export type BrokenRequirement = Mutant & { stage: Stage }

/** The edits as mutants, each with the test of its row. */
export function brokenRequirements(): BrokenRequirement[] {
  const stages = new Map(readRows().map(({ requirement, stage }) => [requirement, stage]))
  return readBreakages().flatMap((one) => {
    const stage = stages.get(one.requirement)
    if ('reason' in one || !stage) return []
    const { requirement: operator, file, find, replacement } = one
    const text = readFileSync(file, 'utf8')
    const start = text.indexOf(find)
    const end = start + find.length
    const change = { operator, file, start, end, replacement, line: text.slice(0, start).split('\n').length }
    const id = createHash('sha256')
      .update(JSON.stringify([stage, applied(text, change)]))
      .digest('hex')
    return [{ id: id.slice(0, 12), ...change, stage }]
  })
}
