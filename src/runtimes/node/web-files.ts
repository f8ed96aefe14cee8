// The dashboard's files as they were built, read once and kept.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WebFile, WebFiles } from '../../http/dashboard/web-files.ts'

/** What may be served, by the ending of its name. */
export const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

/** Null if it was not built, as after an install without the development tools of a checkout. */
export function readWebFiles(): WebFiles | null {
  const folder = fileURLToPath(new URL('../../../dist/web/', import.meta.url))
  if (!existsSync(folder)) return null
  // Only names that are there: nothing a caller writes is ever made a path.
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  )
  const kept = new Map<string, WebFile>()
  return async (path) => {
    const type = TYPES[extname(path)]
    if (!names.has(path) || type === undefined) return null
    let file = kept.get(path)
    if (file === undefined) {
      file = { bytes: new Uint8Array(readFileSync(`${folder}${path}`)), type }
      kept.set(path, file)
    }
    return file
  }
}
