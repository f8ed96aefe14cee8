// Lets a child process load Terce from a bundle instead of 400 files: a command then takes 0.5 s of CPU time instead of 1.3 s. The
// process still runs bin/terce.js, which imports src/cli/terce.ts; a hook of Node turns that import to the bundle.
// Tests of the start, of the package and of the image do without it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Inside the checkout, so that a bundle finds the packages that are not part of it. */
const FOLDER = join(ROOT, 'node_modules/.cache/terce-bundles')
const BUILD = fileURLToPath(new URL('build.ts', import.meta.url))
const KEPT_MS = 3_600_000

let options: string[] | null = null

/** The options of Node for a process that runs the bin/terce.js of this checkout. */
export function fromBundle(): string[] {
  options ??= ['--import', join(currentBundle(), 'hook.js')]
  return options
}

function currentBundle(): string {
  const inputs = globSync(['src/**/*.ts', 'src/**/*.json', 'package-lock.json'], { cwd: ROOT }).sort()
  const hash = createHash('sha256')
  for (const path of [...inputs.map((name) => join(ROOT, name)), BUILD]) {
    const { mtimeMs, size } = statSync(path)
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  const folder = join(FOLDER, hash.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  mkdirSync(FOLDER, { recursive: true })
  removeOldBundles()
  execFileSync(process.execPath, [BUILD, folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  return folder
}

function removeOldBundles(): void {
  for (const name of readdirSync(FOLDER)) {
    const { mtimeMs } = statSync(join(FOLDER, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(join(FOLDER, name), { recursive: true, force: true })
  }
}
