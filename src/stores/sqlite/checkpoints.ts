// Decides when the WAL is emptied after an erasure: earlier versions of a deleted row stay in it until then.
import type { Clock } from '../../ports/clock.ts'

type Checkpoints = {
  /** Called after a commit that erased rows. Returns at once. */
  request(): void
  /** Makes the last attempts. Other processes may keep the file open. */
  close(): Promise<void>
}

/** At most one checkpoint a second: deleting a thousand people empties the WAL a few times. */
const PAUSE_MS = 1_000
/** A reader, such as a backup, may hold the WAL for minutes. */
const LONGEST_PAUSE_MS = 30_000
const ATTEMPTS_AT_CLOSE = 10
const PAUSE_AT_CLOSE_MS = 100

/** `empty` makes one attempt; false if a reader or a writer held it up. */
export function createCheckpoints(clock: Clock, empty: () => Promise<boolean>): Checkpoints {
  let requested = false
  let failures = 0
  let attempt: Promise<void> | null = null
  let pause: { cancel(): void } | null = null

  async function run(): Promise<void> {
    requested = false
    const isEmpty = await empty().catch(() => false)
    failures = isEmpty ? 0 : failures + 1
    requested ||= !isEmpty
  }

  function start(): void {
    attempt = run().then(() => {
      attempt = null
      const waitMs = Math.min(PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS)
      pause = clock.after(waitMs, () => {
        pause = null
        if (requested) start()
      })
    })
  }

  return {
    request() {
      requested = true
      if (attempt === null && pause === null) start()
    },
    async close() {
      await attempt
      pause?.cancel()
      for (let left = ATTEMPTS_AT_CLOSE; requested && left > 0; left--) {
        await run()
        if (requested) await new Promise<void>((resolve) => clock.after(PAUSE_AT_CLOSE_MS, resolve))
      }
    },
  }
}
