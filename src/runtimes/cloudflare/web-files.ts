// The dashboard's files on Workers: the bundle contains them.
import type { WebFiles } from '../../http/dashboard/web-files.ts'

/** Defined by scripts/build-cloudflare.ts: the built files by path. */
declare const TERCE_WEB: Readonly<Record<string, { type: string; text: string }>> | undefined

/** Null if the Worker was built without the dashboard. */
export function bundledWebFiles(): WebFiles | null {
  const files = typeof TERCE_WEB === 'undefined' ? {} : TERCE_WEB
  const kept = new Map(Object.entries(files))
  if (kept.size === 0) return null
  return async (path) => {
    const file = kept.get(path)
    return file === undefined ? null : { bytes: new TextEncoder().encode(file.text), type: file.type }
  }
}
