// Packs terce-client: the client, the receiver and the core of the build in dist/, without the server and without dependencies.
// npm run pack:client writes terce-client-VERSION.tgz.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const EXPORTS = ['./client', './receiver', './core']

const README = `# terce-client

The client of the HTTP API of Terce, the receiver of its webhooks, and its date arithmetic. No dependencies.

\`\`\`js
import { createClient } from 'terce-client/client'
import { receive } from 'terce-client/receiver'
import { nextOccurrence } from 'terce-client/core'
\`\`\`

The modules \`terce-client/client\`, \`terce-client/receiver\` and \`terce-client/core\` are those of the package \`terce\`, in one version.
`

/** Writes the package into an empty folder. `built`: a checkout, or an unpacked package `terce`. */
export function writeClient(built: string, folder: string): void {
  const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'))
  const { version, license, type } = manifest
  const exports = Object.fromEntries(EXPORTS.map((name) => [name, manifest.exports[name]]))
  const entries = Object.values<{ types: string; default: string }>(exports).flatMap((one) => [
    one.types,
    one.default,
  ])
  rmSync(folder, { recursive: true, force: true })
  for (const file of ['LICENSE', ...reachedFiles(built, entries)]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(built, file), join(folder, file))
    chmodSync(join(folder, file), 0o644)
  }
  const own = {
    name: 'terce-client',
    version,
    description: 'The client, the receiver and the date arithmetic of Terce, without the server.',
    license,
    type,
    engines: { node: '>=20' },
    exports: { ...exports, './package.json': './package.json' },
    sideEffects: false,
    files: ['dist'],
  }
  const mode = 0o644
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`, { mode })
  writeFileSync(join(folder, 'README.md'), README, { mode })
}

const RELATIVE_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.{1,2}\/[^'"]+)\1/g

/** The entries and every file that they import, as JavaScript and as declarations. */
function reachedFiles(built: string, entries: readonly string[]): Set<string> {
  const reached = new Set(entries.map((name) => join(name)))
  for (const file of reached) {
    if (!/\.[jt]s$/.test(file)) continue
    for (const [, , path] of readFileSync(join(built, file), 'utf8').matchAll(RELATIVE_IMPORT)) {
      const target = join(dirname(file), path!)
      reached.add(file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target)
    }
  }
  return reached
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(ROOT, 'build/terce-client')
  writeClient(ROOT, folder)
  const { status } = spawnSync('npm', ['pack', folder], { cwd: process.cwd(), stdio: 'inherit' })
  process.exitCode = status ?? 1
}
