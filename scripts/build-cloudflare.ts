// Bundles the Worker into build/cloudflare/worker.js or, with --hyperdrive, the Worker on PostgreSQL into hyperdrive.js.
// Tests run the same bundles that are deployed.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { TYPES } from '../src/runtimes/node/web-files.ts'

const root = new URL('..', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, root))

export const WORKER = path('src/runtimes/cloudflare/worker.ts')
export const HYPERDRIVE_WORKER = path('src/runtimes/cloudflare/hyperdrive.ts')

/** Modules that workerd provides. The build fails if any other import is missing from the bundle. */
const BUILT_IN = ['node:crypto', 'node:fs', 'cloudflare:workers']

/** Modules of Node that the PostgreSQL driver requires. An ES module cannot call `require`, so each becomes an import. */
const requireNodeModules: Plugin = {
  name: 'require-node-modules',
  setup({ onResolve, onLoad }) {
    const filter =
      /^(?:node:)?(?:async_hooks|crypto|dns|events|fs|net|path|stream|string_decoder|timers\/promises|tls|util|util\/types)$/
    onResolve({ filter }, ({ path: name, kind }) => {
      const full = `node:${name.replace('node:', '')}`
      return kind === 'require-call' ? { path: full, namespace: 'required' } : { path: full, external: true }
    })
    onLoad({ filter: /./, namespace: 'required' }, ({ path: name }) => ({
      contents: `export * from '${name}'\nexport { default } from '${name}'`,
    }))
  },
}

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
    ...(entry === HYPERDRIVE_WORKER
      ? { external: [...BUILT_IN, 'cloudflare:sockets', 'pg-native'], plugins: [requireNodeModules] }
      : { external: BUILT_IN }),
    define: {
      TERCE_VERSION: JSON.stringify(version),
      TERCE_WEB: JSON.stringify(readWeb(web)),
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

if (import.meta.main) {
  const entry = process.argv.includes('--hyperdrive') ? HYPERDRIVE_WORKER : WORKER
  const { text } = await bundle(entry)
  const file = `build/cloudflare/${basename(entry, '.ts')}.js`
  mkdirSync(path('build/cloudflare'), { recursive: true })
  writeFileSync(path(file), text)
  console.log(`${file}: ${Math.round(text.length / 1024)} KiB`)
}
