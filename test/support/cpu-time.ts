// Setup of every project: notes the CPU time of each test file for `npm run test:profile`, with that of the processes it started.
import { existsSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number
  }
}

/** The clock ticks of /proc: 100 a second on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** Of this process and of all its processes that have ended. Other systems than Linux count this process alone. */
function cpuMs(): number {
  if (!existsSync('/proc/self/stat')) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  // The name of the command is in brackets and may contain spaces; the fields after it are numbers.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')
  const [user, system, userOfChildren, systemOfChildren] = fields.slice(11, 15).map(Number)
  return (user! + system! + userOfChildren! + systemOfChildren!) * MS_PER_TICK
}

const before = cpuMs()
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern; the file needs none.
afterAll(({}, file) => {
  file.meta.cpuMs = cpuMs() - before
})
