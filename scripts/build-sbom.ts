// Writes build/sbom.cdx.json: a CycloneDX list of the packages that Terce ships or loads when they are installed, from
// package-lock.json and THIRD-PARTY-NOTICES. Offline and reproducible: no time and no random number. `npm sbom --omit=dev` lists
// the tools that build the dashboard, and not the packages in it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readNotices } from './build-notices.ts'

const ROOT = new URL('../', import.meta.url)
const FILE = fileURLToPath(new URL('build/sbom.cdx.json', ROOT))

/** An entry of package-lock.json. */
export type Locked = {
  name?: string
  version: string
  license?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

function readLock(): { name: string; version: string; packages: Record<string, Locked> } {
  return JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8'))
}

/** The entries of the packages that npm installs with the published package. */
export function installedPackages(): Record<string, Locked> {
  const { packages } = readLock()
  const places = reach(neededBy('', packages, 'installed'), packages, 'installed')
  return Object.fromEntries([...places].map((place) => [place, packages[place]!]))
}

export function buildSbom(): object {
  const lock = readLock()
  const { packages } = lock
  const bundled = new Set(readNotices().map(({ name }) => `node_modules/${name}`))
  const required = new Set([...reach(neededBy('', packages, 'required'), packages, 'required'), ...bundled])
  const optional = reach(neededBy('', packages, 'any'), packages, 'installed')
  const used = Object.keys(packages).filter((path) => required.has(path) || optional.has(path))
  const refs = new Map(used.map((path) => [path, refOf(path, packages[path]!)]))
  const root = { name: lock.name, version: lock.version, license: packages['']!.license ?? 'MIT' }
  // One package can be installed in several places.
  const components = new Map(
    used.map((path) => [refs.get(path), componentOf(path, packages[path]!, { bundled, required })]),
  )
  const graph = new Map<string, Set<string>>()
  for (const path of ['', ...used]) {
    const ref = refs.get(path) ?? `${root.name}@${root.version}`
    const found = neededBy(path, packages, 'any').flatMap((needed) => refs.get(needed) ?? [])
    graph.set(ref, new Set([...(graph.get(ref) ?? []), ...found]))
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        'bom-ref': `${root.name}@${root.version}`,
        type: 'application',
        name: root.name,
        version: root.version,
        purl: purlOf(root.name, root.version),
        licenses: licencesOf(root.license),
      },
    },
    components: [...components.values()],
    dependencies: [...graph].map(([ref, needed]) => ({ ref, dependsOn: [...needed].sort() })),
  }
}

const nameOf = (path: string, { name }: Locked) => name ?? path.slice(path.lastIndexOf('node_modules/') + 13)
const refOf = (path: string, locked: Locked) => `${nameOf(path, locked)}@${locked.version}`
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

type Places = ReadonlySet<string>

function componentOf(
  path: string,
  locked: Locked,
  { bundled, required }: { bundled: Places; required: Places },
): object {
  const name = nameOf(path, locked)
  const [algorithm, hash] = (locked.integrity ?? '').split('-')
  return {
    'bom-ref': refOf(path, locked),
    type: 'library',
    name,
    version: locked.version,
    scope: required.has(path) ? 'required' : 'optional',
    purl: purlOf(name, locked.version),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash!, 'base64').toString('hex') }],
    }),
    ...(locked.license !== undefined && { licenses: licencesOf(locked.license) }),
    ...(bundled.has(path) && { properties: [{ name: 'terce:bundled-in', value: 'dist/web' }] }),
  }
}

function licencesOf(licence: string): object[] {
  return /\s/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }]
}

/** `required`: what npm always installs. `installed`: also optional dependencies. `any`: also optional peers. */
type Need = 'required' | 'installed' | 'any'

function reach(places: readonly string[], packages: Record<string, Locked>, need: Need): Set<string> {
  const reached = new Set(places)
  for (const place of reached) for (const needed of neededBy(place, packages, need)) reached.add(needed)
  return reached
}

/** The places of a package's dependencies, found as Node finds them: in its own folder, then in the folders above. */
function neededBy(path: string, packages: Record<string, Locked>, need: Need): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path]!
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => need === 'any' || !peerDependenciesMeta?.[name]?.optional,
  )
  const optional = need === 'required' ? [] : Object.keys(optionalDependencies ?? {})
  return [...Object.keys(dependencies ?? {}), ...optional, ...peers].flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const place = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
      if (packages[place] !== undefined) return [place]
      if (folder === '') return []
    }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync(dirname(FILE), { recursive: true })
  const sbom = buildSbom() as { components: unknown[] }
  writeFileSync(FILE, `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(`build/sbom.cdx.json lists ${sbom.components.length} packages.`)
}
