// Starts the long test files first: a long file that starts last would run alone while the other workers idle.
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { PROJECTS } from './projects.ts'

export default class LongFirst extends BaseSequencer {
  /** Within a project the order of Vitest stays: the longest of the last run first, else the largest. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // By project: a worker keeps its process, with the code it has loaded, as long as the files of one project follow each other.
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ project }: TestSpecification): number {
  return PROJECTS.findIndex((name) => name === project.name)
}
