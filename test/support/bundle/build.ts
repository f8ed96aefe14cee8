// Bundles the command and the thread of SQLite into the folder that the first argument names.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const SOURCES = new URL('../../../src/', import.meta.url)
const COMMAND = 'cli/terce'
const THREAD = 'stores/sqlite/thread'

const folder = process.argv[2]!
const inBundle = (name: string) => pathToFileURL(join(folder, `${name}.js`)).href
const unfinished = `${folder}.${process.pid}`

/** In the bundle a file still finds the migrations and the dashboard from its own place. The thread is part of the bundle. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup(bundle) {
    bundle.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href)
      const contents = readFileSync(path, 'utf8')
        .replace(/`\.\/thread\.\$\{\w+\}`/, JSON.stringify(inBundle(THREAD)))
        .replaceAll('import.meta.url', url)
      return { loader: 'ts', contents }
    })
  },
}

await build({
  entryPoints: [COMMAND, THREAD].map((name) => fileURLToPath(new URL(`${name}.ts`, SOURCES))),
  outbase: fileURLToPath(SOURCES),
  outdir: unfinished,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: ['pg-native', 'nodemailer', '@aws-sdk/*'],
  // Packages in CommonJS require modules of Node.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
  },
  plugins: [ownUrls],
  logLevel: 'error',
})

const hook = `import module from 'node:module'
module.registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== ${JSON.stringify(new URL(`${COMMAND}.ts`, SOURCES).href)}) return next(specifier, context)
    return { url: ${JSON.stringify(inBundle(COMMAND))}, format: 'module', shortCircuit: true }
  },
})
`
writeFileSync(join(unfinished, 'hook.js'), hook)
writeFileSync(join(unfinished, 'package.json'), '{ "type": "module" }')
try {
  renameSync(unfinished, folder)
} catch {
  // Another process was first.
  rmSync(unfinished, { recursive: true })
}
