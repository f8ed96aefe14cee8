// Tests that need a program that npm does not install. Where it is missing, the list of skipped tests says what was not checked.
import { spawnSync } from 'node:child_process'
import { it } from 'vitest'

/** Runs the test where `program` is installed, and skips it elsewhere. */
export function itWith(program: string, versionFlag: string, name: string, test: () => void): void {
  const isMissing = spawnSync(program, [versionFlag]).status !== 0
  it(name, ({ skip }) => {
    skip(isMissing, `NOT CHECKED, because ${program} is not installed`)
    test()
  })
}
