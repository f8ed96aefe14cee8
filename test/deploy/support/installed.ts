// Tests that need a program that npm does not install. Where it is missing, the name of the test and a line of output say so.
import { spawnSync } from 'node:child_process'
import { it } from 'vitest'

/** Runs the test where `program` is installed; elsewhere skips it, and prints what was not checked. */
export function itWith(program: string, versionFlag: string, name: string, test: () => void): void {
  if (spawnSync(program, [versionFlag]).status === 0) return it(name, test)
  const missing = `NOT CHECKED, because ${program} is not installed: ${name}`
  process.stderr.write(`${missing}\n`)
  it.skip(missing, test)
}
