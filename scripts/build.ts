// Compiles src/ to dist/ for the published package and for `import 'terce/core'`, and web/ to dist/web for the dashboard.
// Run by npm after an install.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'

const root = new URL('..', import.meta.url)

/** Null where it was installed without its development tools (npm ci --omit=dev): the sources run as they are. */
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
