// Closes every run with the line that CI reads: `N passed, N failed`. Above it are the skipped tests with their reasons, and the
// commands that repeat the failed tests one by one.
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

export default class CountReporter implements Reporter {
  /** With `-t`, Vitest marks every test of another name as skipped. */
  #filtered = false

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = this.#filtered ? [] : tests.filter(isSkipped)
    const unexplained = skipped.filter((test) => reasonOf(test) === undefined)
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failedTests = tests.filter((test) => test.result().state === 'failed')
    const failed =
      failedTests.length +
      modules.flatMap(failuresOutsideTests).length +
      unhandledErrors.length +
      unexplained.length
    if (unexplained.length > 0) process.exitCode = 1
    const lines = skipped.map(
      (test) => `skipped: ${nameOf(test)}: ${reasonOf(test) ?? 'FAILED, no reason given'}`,
    )
    lines.push(...failedTests.slice(0, MOST_REPEATED).map((test) => `repeat: ${commandOf(test)}`))
    process.stdout.write(`\n${[...lines, `${passed} passed, ${failed} failed`].join('\n')}\n`)
  }
}

const MOST_REPEATED = 10

/** The command for a shell that runs this test alone. Vitest prints ` > ` between suites and tests, and matches a space there. */
function commandOf(test: TestCase): string {
  const escaped = test.fullName.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = `^${escaped.replaceAll(' > ', ' (> )?')}$`
  return `npx vitest run ${test.module.relativeModuleId} -t '${pattern.replaceAll("'", `'\\''`)}'`
}

/** Tests of a suite whose setup failed are skipped as well; the setup counts as the failure. */
function isSkipped(test: TestCase): boolean {
  return test.result().state === 'skipped' && test.module.state() !== 'failed'
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  return result.state === 'skipped' ? result.note : undefined
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`
}

/** Files that fail to load and suites whose hooks fail. Their tests did not run, so none of them counts as failed. */
function failuresOutsideTests(module: TestModule): unknown[] {
  return [module, ...module.children.allSuites()].filter((task) => task.errors().length > 0)
}
