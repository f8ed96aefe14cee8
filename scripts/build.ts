// Compiles src/ to dist/ for the published package and for `import 'terce/core'`, and web/ to dist/web for the dashboard.
// npm runs it after an install.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'

const root = new URL('..', import.meta.url)

/** Null if the package is not installed. */
function find(tool: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(tool)
  } catch {
    return null
  }
}

function run(...command: string[]): number {
  return (
    spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1
  )
}

const tsc = find('typescript/bin/tsc')
const vite = find('vite')?.replace(/dist\/node\/index\.js$/, 'bin/vite.js') ?? null
rmSync(new URL('dist/', root), { recursive: true, force: true })
// `npm ci --omit=dev` installs no TypeScript. Terce then runs from its sources, and only the dashboard has to be built.
if (tsc !== null) process.exitCode = run(tsc, '-p', 'tsconfig.build.json')
if (vite === null) console.error('vite is not installed; the dashboard was not built.')
else process.exitCode ||= run(vite, 'build', 'web')
