// Sleeps until an instant, or until something earlier comes up. Never misses a call that came before the sleep.
import type { Clock } from '../ports/clock.ts'

export type Alarm = {
  /** Resolves at the instant given, or at an earlier one that `ring` named in the meantime. */
  sleepUntil(at: number): Promise<void>
  /** Something may be due at that instant. */
  ring(at: number): void
}

export function createAlarm(clock: Clock): Alarm {
  let rungFor = Number.POSITIVE_INFINITY
  let rearm: (() => void) | null = null

  function sleepUntil(at: number): Promise<void> {
    return new Promise((resolve) => {
      let timer: { cancel(): void } | null = null
      rearm = () => {
        timer?.cancel()
        const ms = Math.min(at, rungFor) - clock.now()
        if (ms <= 0) {
          rungFor = Number.POSITIVE_INFINITY
          rearm = null
          resolve()
        } else {
          timer = clock.after(ms, () => rearm?.())
        }
      }
      rearm()
    })
  }

  function ring(at: number): void {
    if (at >= rungFor) return
    rungFor = at
    rearm?.()
  }

  return { sleepUntil, ring }
}
