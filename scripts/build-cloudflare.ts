// Bundles the Worker into one file, build/cloudflare/worker.js: the bytes that are deployed are the bytes that are tested.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { TYPES } from '../src/runtimes/node/web-files.ts'

const root = new URL('..', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, root))

export const WORKER = path('src/runtimes/cloudflare/worker.ts')

/** What workerd has built in: everything else must be in the bundle, or the build fails. */
const BUILT_IN = ['node:crypto', 'node:fs', 'cloudflare:workers']

/** Where the dashboard was built, if it was. */
const WEB = path('dist/web')

/** The bundle of an entry point as workerd takes it, with the dashboard that lies in the folder. */
export async function bundle(entry: string, web = WEB): Promise<{ text: string; metafile: Metafile }> {
  const { version } = JSON.parse(readFileSync(path('package.json'), 'utf8'))
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    // Packages with a build for browsers mean one without Node.
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    external: BUILT_IN,
    define: { TERCE_VERSION: JSON.stringify(version), TERCE_WEB: JSON.stringify(readWeb(web)) },
    absWorkingDir: path('.'),
    legalComments: 'none',
  })
  return { text: outputFiles[0]!.text, metafile }
}

/** All of them are text; what is not is refused rather than damaged. */
function readWeb(folder: string): Record<string, { type: string; text: string }> {
  if (!existsSync(folder)) return {}
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
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

if (import.meta.main) {
  const { text } = await bundle(WORKER)
  mkdirSync(path('build/cloudflare'), { recursive: true })
  writeFileSync(path('build/cloudflare/worker.js'), text)
  console.log(`build/cloudflare/worker.js: ${Math.round(text.length / 1024)} KiB`)
}
