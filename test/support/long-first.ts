// Starts the long test files first: a long file that starts last would run alone while the other workers idle.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each takes 20 s or more. Without the durations of an earlier run, Vitest orders files by size, and some of these are small. */
const LONG = [
  'test/simulation/mistakes.long.test.ts',
  'test/web/',
  'test/runtimes/node/',
  'test/deploy/image.long.test.ts',
  'test/types-and-lint.test.ts',
  'test/package/',
  'test/stores/',
  'test/chaos/',
  'test/runtimes/',
  'test/cli/',
]

export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // A stable sort: within a rank, the order of Vitest stays.
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }
}

/** Files that share processes come last and follow each other: a process ends when a file of the other project is next. */
function rankOf(file: TestSpecification): number {
  const found = LONG.findIndex((path) => file.moduleId.includes(`/${path}`))
  const rank = found === -1 ? LONG.length : found
  return file.project.config.isolate ? rank : LONG.length + 1 + rank
}
