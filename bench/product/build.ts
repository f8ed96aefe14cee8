// Builds the package and lays it out as an installed one: without src/, so that bin/terce.js runs dist/ as it does for a user.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Inside node_modules, so that it finds the packages that Terce needs. */
const FOLDER = join(ROOT, 'node_modules/.cache/terce-product')

/** Returns the path of bin/terce.js. */
export function buildProduct(): string {
  // Piped: the error of a failed build contains its output.
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { stdio: 'pipe' })
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const name of ['bin', 'dist', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(FOLDER, name), { recursive: true })
  return join(FOLDER, 'bin/terce.js')
}
