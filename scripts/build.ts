// Compiles src/ to dist/ for the published package and for `import 'terce/core'`, bundles the library, and builds web/ to dist/web for
// the dashboard.
// npm runs it after an install, and before it packs. Two builds of one commit give equal files.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Null if the package is not installed. */
function find(tool: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(tool)
  } catch {
    return null
  }
}

/** In a process of its own, on the second core while this one compiles. Resolves to the exit code. */
async function buildWeb(vite: string): Promise<number> {
  const stdio = ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit']
  const child = spawn(process.execPath, [vite, 'build', 'web'], { cwd: ROOT, stdio })
  const [code] = await once(child, 'close')
  return code ?? 1
}

/** npm packs the mode of each file, which depends on the umask of the person who checked it out. */
function setModes(): void {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const shipped = ['package.json', 'README.md', 'LICENSE', ...files.filter((name: string) => name[0] !== '!')]
  for (const name of globSync(
    shipped.flatMap((one) => [one, `${one}/**`]),
    { cwd: ROOT },
  )) {
    const file = join(ROOT, name)
    const stat = statSync(file)
    if (stat.isFile()) chmodSync(file, stat.mode & 0o100 ? 0o755 : 0o644)
  }
}

/** Files of packages that nothing here reads: C headers of Node, and Prisma for other databases. They take 130 MB of a checkout. */
const UNUSED = [
  'node-linux-*/include',
  'test-prisma-client/runtime/query_compiler_fast_*',
  'test-prisma-client/runtime/*.{cockroachdb,mysql,sqlite,sqlserver}.*',
]
for (const path of globSync(UNUSED, { cwd: join(ROOT, 'node_modules') }))
  rmSync(join(ROOT, 'node_modules', path), { recursive: true })

const vite = find('vite')?.replace(/dist\/node\/index\.js$/, 'bin/vite.js') ?? null
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
if (vite === null) console.error('vite is not installed; the dashboard was not built.')
const web = vite === null ? 0 : buildWeb(vite)
// `npm ci --omit=dev` installs no TypeScript. Terce then runs from its sources, and only the dashboard has to be built.
if (find('typescript') !== null) {
  await (await import('./build-client.ts')).buildClient()
  ;(await import('./compile.ts')).compile()
  await (await import('./bundle-library.ts')).bundleLibrary()
}
process.exitCode = await web
setModes()
