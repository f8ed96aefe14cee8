// Compiles src/ to dist/ for the published package and for `import 'terce/core'`, and web/ to dist/web for the dashboard.
// npm runs it after an install.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'

const root = new URL('..', import.meta.url)

/** Null if the development tools are not installed (npm ci --omit=dev). Terce then runs from its sources. */
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
if (tsc === null || vite === null) {
  console.error('The development tools are not installed; dist/ was not built.')
} else {
  rmSync(new URL('dist/', root), { recursive: true, force: true })
  process.exitCode = run(tsc, '-p', 'tsconfig.build.json') || run(vite, 'build', 'web')
}
