// How long to leave a troubled store alone: 1, 2, 4 … seconds, at most 30.
import type { Clock } from '../ports/clock.ts'

export function backoffMs(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** (failures - 1))
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}
