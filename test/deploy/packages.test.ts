// The packages that Terce ships: none runs a script when it is installed, and THIRD-PARTY-NOTICES has the licences of those
// whose code the dashboard contains.
import { expect, it } from 'vitest'
import { buildNotices, readNotices } from '../../scripts/build-notices.ts'
import { installedPackages, readLock } from '../package/support/checkout.ts'
import { readRoot } from './support/deploy-files.ts'

it('THIRD-PARTY-NOTICES is current: run node scripts/build-notices.ts after a change of the packages of the dashboard', async () => {
  expect(readRoot('THIRD-PARTY-NOTICES')).toBe(await buildNotices())
})

it('THIRD-PARTY-NOTICES names the packages of the dashboard as they are locked, each with the text of a permissive licence', () => {
  const notices = readRoot('THIRD-PARTY-NOTICES')
  const named = readNotices()
  expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', 'react-dom', 'tailwindcss']))
  for (const { name, version } of named) expect(readLock()[`node_modules/${name}`]!.version).toBe(version)
  expect(notices.match(/THE SOFTWARE IS PROVIDED "AS IS"/g)).toHaveLength(named.length)
  for (const [, licence] of notices.matchAll(/^\S+ \d\S+ \((.+)\)$/gm))
    expect(['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', '0BSD']).toContain(licence)
})

it('the package and the image contain THIRD-PARTY-NOTICES, and the image LICENSE too', () => {
  // npm adds LICENSE to the package by itself.
  expect(JSON.parse(readRoot('package.json')).files).toContain('THIRD-PARTY-NOTICES')
  expect(readRoot('deploy/node/Dockerfile')).toMatch(/^COPY .*\bLICENSE THIRD-PARTY-NOTICES /m)
})

it('no package that is shipped has an install script', () => {
  const shipped = Object.entries(installedPackages())
  expect(shipped.length).toBeGreaterThan(40)
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})
