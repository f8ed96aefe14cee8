// Writes THIRD-PARTY-NOTICES: the licences of the packages whose code is in the dashboard (dist/web). Bundling drops their
// comments, and their licences ask for the notice. Run it after a change of the dashboard's packages: node scripts/build-notices.ts
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILE = join(ROOT, 'THIRD-PARTY-NOTICES')
const RULE = '-'.repeat(80)

/** Its style sheet is in the bundle, but no module of it. */
const STYLE = 'tailwindcss'

/** The text of THIRD-PARTY-NOTICES for the dashboard as it is now. */
export async function buildNotices(): Promise<string> {
  const notices = (await bundledPackages()).map((name) => {
    const folder = join(ROOT, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${licenceIn(folder)}\n`
  })
  return `The dashboard of Terce (dist/web) contains code of these packages.\n\n${notices.join('\n')}`
}

/** The packages with code in the bundle, in order of name. */
async function bundledPackages(): Promise<string[]> {
  const names = new Set([STYLE])
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
