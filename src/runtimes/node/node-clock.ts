// The machine's clock with the CPU time of this thread, which only Node can measure.
import type { Clock } from '../../ports/clock.ts'
import { systemClock } from '../shared/system-clock.ts'

/** Before Node 23.9 the CPU time of the whole process, which is more than that of the thread. */
const cpuUsage = process.threadCpuUsage ?? process.cpuUsage

export const nodeClock: Clock = {
  ...systemClock,
  cpuMs: () => {
    const { user, system } = cpuUsage.call(process)
    return (user + system) / 1_000
  },
}
