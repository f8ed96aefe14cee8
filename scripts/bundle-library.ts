// Bundles the library for the published package, with the packages that an application does not bring itself: `import 'terce'` then
// reads a few files. What a Terce needs is in chunks that `createTerce` loads.
import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const path = (name: string) => join(ROOT, name)

/** Packages of the application, and those that are installed when they are needed. */
const EXTERNAL = ['pg', 'pg-native', 'nodemailer', '@aws-sdk/*', '@smithy/*']

/** Replaces the JavaScript of the folder; the declarations stay. Resolves to the packages whose code is in it. */
export async function bundleLibrary(folder = path('dist/library')): Promise<string[]> {
  const { version } = JSON.parse(readFileSync(path('package.json'), 'utf8'))
  for (const name of globSync('**/*.js', { cwd: folder })) rmSync(join(folder, name))
  const common = {
    bundle: true,
    minify: true,
    // Stack traces need the names of functions, and adapters those of classes.
    keepNames: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    legalComments: 'none',
    absWorkingDir: ROOT,
    // The names of chunks depend on the paths of their files, which are equal in every checkout.
    preserveSymlinks: true,
    logLevel: 'warning',
  } as const
  const define = {
    TERCE_VERSION: JSON.stringify(version),
    TERCE_MIGRATIONS: JSON.stringify({ postgres: migrations('postgres'), sqlite: migrations('sqlite') }),
  }
  const thread = await build({
    ...common,
    entryPoints: ['src/stores/sqlite/thread.ts'],
    write: false,
    plugins: [placed],
    define,
  })
  const { metafile } = await build({
    ...common,
    entryPoints: [
      'src/library/index.ts',
      'src/library/adapters/adapters.ts',
      'src/library/testing/testing.ts',
    ],
    outdir: folder,
    outbase: 'src/library',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    metafile: true,
    external: EXTERNAL,
    plugins: [requireNodeModules, placed],
    define: { ...define, TERCE_SQLITE_THREAD: JSON.stringify(thread.outputFiles[0]!.text) },
  })
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs))
  return used.flatMap(([file, { bytesInOutput }]) => {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
    return name !== undefined && bytesInOutput > 0 ? [name] : []
  })
}

/** The text of each migration by its name. */
function migrations(dialect: string): Record<string, string> {
  const names = readdirSync(path(`migrations/${dialect}`)).filter((name) => name.endsWith('.sql'))
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(path(`migrations/${dialect}/${name}`), 'utf8')]),
  )
}

/** The only file that still finds others, those of the dashboard, by its place. CommonJS has no `import.meta.url`. */
const WEB_FILES = 'runtimes/node/web-files.js'
const PLACE = `new URL('../../${WEB_FILES}', import.meta.url ?? 'file:///C:/terce/dist/library/index.js').href`

const placed: Plugin = {
  name: 'placed',
  setup({ onLoad, onResolve }) {
    // One class of errors for an application that imports both.
    onResolve({ filter: /\/client\/path-client\.ts$/ }, () => ({ path: 'terce/client', external: true }))
    // Throws on a Node that is too old. The manifest names the compiled file.
    onResolve({ filter: /node-version\.ts$/ }, ({ path: name, resolveDir }) => ({
      path: join(resolveDir, name),
      sideEffects: true,
    }))
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => {
      const name = relative(path('src'), file).replace(/\.ts$/, '.js')
      const place = name === WEB_FILES ? PLACE : `'file:///C:/terce/dist/${name}'`
      return { contents: readFileSync(file, 'utf8').replaceAll('import.meta.url', place), loader: 'ts' }
    })
  },
}

/** An ES module has no `require`, which packages in CommonJS call for the modules of Node. */
const requireNodeModules: Plugin = {
  name: 'require-node-modules',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`) },
      ({ path: name, kind }) => {
        const full = `node:${name.replace('node:', '')}`
        return kind === 'require-call'
          ? { path: full, namespace: 'required' }
          : { path: full, external: true }
      },
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule('${name}')`,
    }))
  },
}
