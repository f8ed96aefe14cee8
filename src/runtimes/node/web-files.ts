// The built files of the dashboard. Each is read once and cached.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WebFile, WebFiles } from '../../http/dashboard/web-files.ts'

/** The content types that may be served, by file extension. */
export const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** What is wrong with the built files; null if they are current. The published package has no sources to compare them with. */
export function dashboardProblem(root = ROOT): 'missing' | 'outdated' | null {
  const page = join(root, 'dist/web/index.html')
  if (!existsSync(page)) return 'missing'
  const sources = join(root, 'web/src')
  if (!existsSync(sources)) return null
  const builtAt = statSync(page).mtimeMs
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  return names.some((name) => statSync(join(sources, name)).mtimeMs > builtAt) ? 'outdated' : null
}

/** Null if the dashboard was not built. */
export function readWebFiles(): WebFiles | null {
  const folder = join(ROOT, 'dist/web/')
  if (!existsSync(folder)) return null
  // Only names in this list are read: a path from a request is never used as a file path.
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  )
  const kept = new Map<string, WebFile>()
  return async (path) => {
    const type = TYPES[extname(path)]
    if (!names.has(path) || type === undefined) return null
    let file = kept.get(path)
    if (file === undefined) {
      const read = (name: string) => new Uint8Array(readFileSync(`${folder}${name}`))
      file = {
        bytes: read(path),
        type,
        ...(names.has(`${path}.br`) && { br: read(`${path}.br`) }),
        ...(names.has(`${path}.gz`) && { gzip: read(`${path}.gz`) }),
      }
      kept.set(path, file)
    }
    return file
  }
}
