// Writes THIRD-PARTY-NOTICES: the licences of the packages whose code is in the dashboard (dist/web) and the library (dist/library).
// Bundling drops their comments, and their licences ask for the notice. Run it after a change of packages: node scripts/build-notices.ts
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { bundleLibrary } from './bundle-library.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILE = join(ROOT, 'THIRD-PARTY-NOTICES')
const RULE = '-'.repeat(80)

/** Its style sheet is in the bundle, but no module of it. */
const STYLE = 'tailwindcss'

/** Packages that leave the text of their licence to their repository, and one with the same text. */
const SAME_LICENCE: Readonly<Record<string, string>> = {
  '@hono/zod-openapi': 'hono',
  '@hono/zod-validator': 'hono',
  'drizzle-orm': '@opentelemetry/api',
}

/** The text of THIRD-PARTY-NOTICES for the sources as they are now. */
export async function buildNotices(): Promise<string> {
  const notices = (await bundledPackages()).map((name) => {
    const folder = join(ROOT, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${licenceIn(join(ROOT, 'node_modules', SAME_LICENCE[name] ?? name))}\n`
  })
  return `The dashboard (dist/web) and the library (dist/library) of Terce contain code of these packages.\n\n${notices.join('\n')}`
}

/** The packages with code in a bundle, in order of name. */
async function bundledPackages(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-notices-'))
  const names = new Set([STYLE, ...(await bundleLibrary(folder))])
  rmSync(folder, { recursive: true })
  const collect: Plugin = {
    name: 'collect-packages',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      for (const [id, { renderedLength }] of chunks.flatMap((chunk) => Object.entries(chunk.modules)))
        if (renderedLength > 0) for (const name of packageOf(id)) names.add(name)
    },
  }
  const configFile = join(ROOT, 'web/vite.config.ts')
  await build({ configFile, logLevel: 'warn', build: { write: false }, plugins: [collect] })
  return [...names].sort()
}

/** The package of a module; none for a module of our own. The helpers of the bundler have ids such as \0vite/preload-helper.js. */
function packageOf(id: string): string[] {
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
  if (installed !== undefined) return [installed]
  const [, helper] = /^\0([^/]+)\//.exec(id) ?? []
  return helper !== undefined && existsSync(join(ROOT, 'node_modules', helper)) ? [helper] : []
}

function licenceIn(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no licence file.`)
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
  // Vite's file goes on with the licences of its own packages, of which no code is in the bundle.
  return text.split(/^# Licenses of bundled dependencies$/m)[0]!.trim()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(FILE, await buildNotices())
}
