// Bundles a script of the tests, for tests that start it as a process many times: the start takes a third of the time that 400 files
// take.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

export type BundledScript = { path: string; remove(): void }

/** Files find the migrations from their own place. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup(bundle) {
    bundle.onLoad({ filter: /\/(src|test)\/.*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
    }))
  },
}

export async function bundleScript(script: URL): Promise<BundledScript> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-script-'))
  const path = join(folder, 'script.js')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await build({
    entryPoints: [fileURLToPath(script)],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['pg-native', 'nodemailer', '@aws-sdk/*'],
    // Packages in CommonJS require modules of Node.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(script.href)});`,
    },
    plugins: [ownUrls],
    logLevel: 'error',
  })
  return { path, remove: () => rmSync(folder, { recursive: true }) }
}
