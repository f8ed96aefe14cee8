// Compiles src/ to dist/ for the published package and for `import 'terce/core'`. Run by npm after an install.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'

const root = new URL('..', import.meta.url)

function compiler(): string | null {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc')
  } catch {
    return null
  }
}

const tsc = compiler()
if (tsc === null) {
  // Installed without its development tools (npm ci --omit=dev): the sources run as they are.
  console.error('TypeScript is not installed; dist/ was not built.')
} else {
  rmSync(new URL('dist/', root), { recursive: true, force: true })
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
