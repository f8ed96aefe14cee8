// SECURITY.md: the versions that get fixes are those that exist, and the times are in order.
import { expect, it } from 'vitest'
import { readRoot, VERSION } from '../deploy/support/deploy-files.ts'
import { rowsOf } from './support/tables.ts'

it('SECURITY.md supports the current version', () => {
  const [latest, older] = rowsOf('SECURITY.md', 'version', 'fixes')
  expect(latest).toEqual([`the latest release of ${VERSION.split('.').slice(0, 2).join('.')}`, 'yes'])
  expect(older).toEqual(['older ones', 'no'])
})

it('SECURITY.md is in the published package, and the README leads to it', () => {
  expect(JSON.parse(readRoot('package.json')).files).toContain('SECURITY.md')
  expect(readRoot('README.md')).toContain('(SECURITY.md)')
})
