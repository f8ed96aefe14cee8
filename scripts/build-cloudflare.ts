// Bundles the Worker into one file, build/cloudflare/worker.js: the bytes that are deployed are the bytes that are tested.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

const root = new URL('..', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, root))

export const WORKER = path('src/runtimes/cloudflare.ts')

/** What workerd has built in: everything else must be in the bundle, or the build fails. */
const BUILT_IN = ['node:crypto', 'node:fs', 'cloudflare:workers']

/** The bundle of an entry point as workerd takes it. */
export async function bundle(entry: string): Promise<{ text: string; metafile: Metafile }> {
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
    define: { TERCE_VERSION: JSON.stringify(version) },
    absWorkingDir: path('.'),
    legalComments: 'none',
  })
  return { text: outputFiles[0]!.text, metafile }
}

if (import.meta.main) {
  const { text } = await bundle(WORKER)
  // Wrangler wants the folder of the dashboard, built or not.
  for (const folder of ['build/cloudflare', 'dist/web']) mkdirSync(path(folder), { recursive: true })
  writeFileSync(path('build/cloudflare/worker.js'), text)
  console.log(`build/cloudflare/worker.js: ${Math.round(text.length / 1024)} KiB`)
}
