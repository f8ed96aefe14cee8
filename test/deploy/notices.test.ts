// THIRD-PARTY-NOTICES: the licences of the packages whose code the dashboard contains.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildNotices, readNotices } from '../../scripts/build-notices.ts'
import { readRoot } from './support/deploy-files.ts'

describe('THIRD-PARTY-NOTICES', () => {
  it('is current: run node scripts/build-notices.ts after a change of the packages of the dashboard', async () => {
    expect(readRoot('THIRD-PARTY-NOTICES')).toBe(await buildNotices())
  })

  it('names the packages that the dashboard imports, with their versions, and the text of their licences', () => {
    const named = readNotices()
    expect(named.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        '@tanstack/query-core',
        '@tanstack/react-query',
        'react',
        'react-dom',
        'tailwindcss',
      ]),
    )
    const locked = JSON.parse(readRoot('package-lock.json')).packages
    for (const { name, version } of named) expect(locked[`node_modules/${name}`].version).toBe(version)
    const notices = readRoot('THIRD-PARTY-NOTICES')
    expect(notices.match(/^Copyright \(c\) /gim)!.length).toBeGreaterThanOrEqual(named.length)
    expect(notices.match(/THE SOFTWARE IS PROVIDED "AS IS"/g)).toHaveLength(named.length)
  })

  it('contains no licence that restricts the use of the dashboard', () => {
    for (const [, licence] of readRoot('THIRD-PARTY-NOTICES').matchAll(/^\S+ \d\S+ \((.+)\)$/gm))
      expect(['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', '0BSD']).toContain(licence)
  })

  it('is in the published package and in the image, with the licence of Terce', () => {
    const { files } = JSON.parse(readRoot('package.json'))
    const dockerfile = readRoot('deploy/node/Dockerfile')
    // npm adds LICENSE by itself.
    expect(files).toContain('THIRD-PARTY-NOTICES')
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES']) {
      expect(existsSync(new URL(`../../${name}`, import.meta.url))).toBe(true)
      expect(dockerfile).toMatch(new RegExp(`^COPY .*\\b${name}\\b`, 'm'))
    }
  })
})
