// The packages that Terce ships: none runs a script when it is installed, and THIRD-PARTY-NOTICES has the licences of those
// whose code the dashboard and the library contain.
import { expect, it } from 'vitest'
import { buildNotices } from '../../scripts/build-notices.ts'
import { installedPackages } from '../package/support/checkout.ts'
import { readRoot } from './support/deploy-files.ts'

it('THIRD-PARTY-NOTICES is current: run node scripts/build-notices.ts after a change of packages', async () => {
  expect(readRoot('THIRD-PARTY-NOTICES')).toBe(await buildNotices())
})

it('THIRD-PARTY-NOTICES is in the package, with the text of a permissive licence for each package', () => {
  expect(JSON.parse(readRoot('package.json')).files).toContain('THIRD-PARTY-NOTICES')
  const notices = readRoot('THIRD-PARTY-NOTICES')
  const licences = [...notices.matchAll(/^\S+ \d\S+ \((.+)\)$/gm)].map(([, licence]) => licence)
  const texts = notices.split(/^\S+ \d\S+ \(.+\)$/m).slice(1)
  expect(texts.filter((text) => !text.includes('"AS IS"'))).toEqual([])
  for (const licence of licences)
    expect(['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', '0BSD']).toContain(licence)
})

it('no package that is shipped has an install script', () => {
  const shipped = Object.entries(installedPackages())
  expect(shipped.length).toBeGreaterThan(40)
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})
