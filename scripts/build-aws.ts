// Bundles each Lambda function into build/aws/NAME with the migrations. The API function also includes the dashboard, if that
// was built (npm run build). Prints the size of each bundle.
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The folder of each function, and the export of handlers.ts that is its handler. */
export const FUNCTIONS = {
  api: 'api',
  scheduler: 'scheduler',
  worker: 'worker',
  'dead-letters': 'deadLetters',
  recovery: 'recovery',
} as const

export async function buildAws(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const names = Object.keys(FUNCTIONS)
  await build({
    // One build for all functions reads each file once.
    entryPoints: names.map((name) => ({ in: `function:${name}`, out: `${name}/index` })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    // Stack traces need the names of functions.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    // Optional dependency of pg, not installed.
    external: ['pg-native'],
    // CommonJS packages call require() for Node's modules, and an ES module has no require().
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    plugins: [entries, sources],
    logLevel: 'warning',
  })
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of names) {
    // The code reads package.json and the migrations from its own folder.
    const own = JSON.stringify({ name: 'terce', version, type: 'module' })
    writeFileSync(join(folder, name, 'package.json'), own)
    cpSync(join(ROOT, 'migrations/postgres'), join(folder, name, 'migrations/postgres'), { recursive: true })
  }
  const web = join(ROOT, 'dist/web')
  if (existsSync(web)) cpSync(web, join(folder, 'api/dist/web'), { recursive: true })
}

/** The entry module of each function exports one handler, so that its bundle excludes the code of the others. */
const entries: Plugin = {
  name: 'entries',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^function:/ }, ({ path }) => ({
      path: path.slice('function:'.length),
      namespace: 'function',
    }))
    onLoad({ filter: /./, namespace: 'function' }, ({ path }) => ({
      contents: `export { ${FUNCTIONS[path as keyof typeof FUNCTIONS]} as handler } from './src/runtimes/aws/handlers.ts'`,
      resolveDir: ROOT,
    }))
  },
}

/** Marks the files of src/ as free of side effects, and lets each find files by its path in the source tree. */
const sources: Plugin = {
  name: 'sources',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === sources) return null
      const found = await resolve(path, { resolveDir, kind, pluginData: sources })
      return { ...found, sideEffects: false }
    })
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const place = `new URL('./${relative(ROOT, path)}', import.meta.url).href`
      return { contents: text.replaceAll('import.meta.url', place), loader: 'ts' }
    })
  },
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(ROOT, 'build/aws')
  await buildAws(folder)
  for (const name of Object.keys(FUNCTIONS)) {
    const file = join(folder, name, 'index.mjs')
    const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} kB`.padStart(8)
    const zipped = gzipSync(readFileSync(file)).length
    console.log(`${name.padEnd(14)}${kilobytes(statSync(file).size)}, zipped${kilobytes(zipped)}`)
  }
}
