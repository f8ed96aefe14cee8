// What the dashboard needs on Workers: its files from the platform, and a page that stays fresh although calls there cannot
// tell each other anything.
import type { Live } from '../flow/live.ts'
import type { WebFiles } from '../http/web.ts'
import type { Clock } from '../ports/clock.ts'

/** The binding to the files that were deployed with the Worker. */
export type AssetsBinding = { fetch(url: string): Promise<Response> }

export function assetFiles(assets: AssetsBinding): WebFiles {
  return async (path) => {
    const response = await assets.fetch(`https://assets/${path}`)
    if (!response.ok) return null
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    return { bytes: new Uint8Array(await response.arrayBuffer()), type }
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
