// Tests that need a program that npm does not install. Where it is missing, the list of skipped tests says what was not checked.
import { spawnSync } from 'node:child_process'
import { it } from 'vitest'

/** Runs the test where `program` accepts `argument`, such as --version, and skips it elsewhere. */
export function itWith(program: string, argument: string, name: string, test: () => void): void {
  const isMissing = spawnSync(program, [argument]).status !== 0
  it(name, ({ skip }) => {
    skip(isMissing, `NOT CHECKED, because ${program} ${argument} does not run here`)
    test()
  })
}
