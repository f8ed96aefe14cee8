// What the dashboard needs on Workers: its files, which are in the bundle, and a page that stays fresh although calls there cannot
// tell each other anything.
import type { Live } from '../flow/live.ts'
import type { WebFiles } from '../http/web.ts'
import type { Clock } from '../ports/clock.ts'

/** Put there by scripts/build-cloudflare.ts: the files that were built, by their paths. */
declare const TERCE_WEB: Readonly<Record<string, { type: string; text: string }>> | undefined

/** Null if the Worker was built without. */
export function bundledWebFiles(): WebFiles | null {
  const files = typeof TERCE_WEB === 'undefined' ? {} : TERCE_WEB
  const kept = new Map(Object.entries(files))
  if (kept.size === 0) return null
  return async (path) => {
    const file = kept.get(path)
    return file === undefined ? null : { bytes: new TextEncoder().encode(file.text), type: file.type }
  }
}

/** How often a page that stays open looks again. */
const LOOK_MS = 10_000

/** Says so often that anything may have changed. */
export function createTickingLive(clock: Clock): Live {
  return {
    listen(onChange) {
      let timer = clock.after(LOOK_MS, tick)
      function tick(): void {
        timer = clock.after(LOOK_MS, tick)
        onChange({ kinds: ['event', 'user', 'channel'] })
      }
      return () => timer.cancel()
    },
    touch() {},
    telemetry() {},
  }
}
