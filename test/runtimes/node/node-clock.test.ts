// The CPU clock of Node.
import { expect, it } from 'vitest'
import { nodeClock } from '../../../src/runtimes/node/node-clock.ts'

it('the CPU clock of Node goes forward while the thread works, and not beyond the CPU time of the process', () => {
  const cpuMs = nodeClock.cpuMs!
  const before = cpuMs()
  let sum = 0
  while (cpuMs() - before < 5) sum += Math.sqrt(sum)
  const { user, system } = process.cpuUsage()
  expect(before).toBeLessThan((user + system) / 1_000)
})
