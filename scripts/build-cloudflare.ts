// Bundles the Worker into build/cloudflare/worker.js. Tests run the same bundle that is deployed.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { TYPES } from '../src/runtimes/node/web-files.ts'
import { readMigrations } from '../src/stores/migrations/files.ts'
import { MIGRATIONS } from '../src/stores/sqlite/names.ts'

const root = new URL('..', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, root))

export const WORKER = path('src/runtimes/cloudflare/worker.ts')

/** Modules that workerd provides. The build fails if any other import is missing from the bundle. */
const BUILT_IN = ['node:crypto', 'node:fs', 'cloudflare:workers']

/** The folder of the built dashboard. It may not exist. */
const WEB = path('dist/web')

/** Bundles an entry point for workerd, with the dashboard files of the folder `web`. */
export async function bundle(entry: string, web = WEB): Promise<{ text: string; metafile: Metafile }> {
  const { version } = JSON.parse(readFileSync(path('package.json'), 'utf8'))
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    // Selects the builds of packages that do not need Node.
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    external: BUILT_IN,
    define: {
      TERCE_VERSION: JSON.stringify(version),
      TERCE_WEB: JSON.stringify(readWeb(web)),
      TERCE_MIGRATIONS: JSON.stringify(readMigrationTexts()),
    },
    absWorkingDir: path('.'),
    legalComments: 'none',
  })
  return { text: outputFiles[0]!.text, metafile }
}

/** Embeds the dashboard files as text. Throws for a binary file, which would be damaged. */
function readWeb(folder: string): Record<string, { type: string; text: string }> {
  if (!existsSync(folder)) return {}
  // Cloudflare compresses responses itself.
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name),
  )
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const file = join(parentPath, name)
      const type = TYPES[extname(name)]
      if (type === undefined || type === 'image/png') throw new Error(`${file} is not text.`)
      const served = relative(folder, file).replaceAll('\\', '/')
      return [served, { type, text: readFileSync(file, 'utf8') }]
    }),
  )
}

function readMigrationTexts(): Record<string, string> {
  return Object.fromEntries(readMigrations(MIGRATIONS).map(({ name, text }) => [name, text]))
}

if (import.meta.main) {
  const { text } = await bundle(WORKER)
  mkdirSync(path('build/cloudflare'), { recursive: true })
  writeFileSync(path('build/cloudflare/worker.js'), text)
  console.log(`build/cloudflare/worker.js: ${Math.round(text.length / 1024)} KiB`)
}
