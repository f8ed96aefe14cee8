// Builds the package and lays it out as an installed one: without src/, so that bin/terce.js runs dist/ as it does for a user.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onStop } from '../servers.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Inside node_modules, so that it finds the packages that Terce needs. */
const CACHE = join(ROOT, 'node_modules/.cache')

/** Returns the path of bin/terce.js. */
export function buildProduct(): string {
  // Piped: the error of a failed build contains its output.
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { stdio: 'pipe' })
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'terce-product-'))
  onStop(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['bin', 'dist', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  return join(folder, 'bin/terce.js')
}
