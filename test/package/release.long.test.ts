// npm run release, in a repository of its own: the version, the date, both packages, the commit and the tag.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyCheckout, linkAllPackages } from './support/checkout.ts'

let folder: string
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const release = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('node', ['scripts/release.ts', ...args], {
    cwd: folder,
    encoding: 'utf8',
    // Nothing listens there.
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' },
  })
  return { status, output: stdout + stderr }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-release-'))
  copyCheckout(folder)
  linkAllPackages(folder)
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\nThis will be 9.9.9.\n\n### Added\n\n- A line.\n\n## 0.1.0\n',
  )
  git('init', '--quiet')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  // The link to the packages is no folder, which .gitignore names.
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'All files')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm run release', () => {
  it('prints its steps for --help, and changes nothing for --dry-run', () => {
    expect(release('--help')).toMatchObject({ status: 0, output: expect.stringContaining('--dry-run') })
    expect(release().status).toBe(2)
    expect(release('9.9.9', '--dry-run')).toMatchObject({
      status: 0,
      output: expect.stringContaining('v9.9.9'),
    })
    expect([git('status', '--porcelain'), git('tag')]).toEqual(['', ''])
  })

  it('rejects a wrong version and a working tree with changes', () => {
    expect(release('next')).toMatchObject({ status: 1, output: expect.stringContaining('is not a version') })
    expect(release('9.9.8')).toMatchObject({ status: 1, output: expect.stringContaining('will be 9.9.9') })
    writeFileSync(join(folder, 'new.txt'), '')
    expect(release('9.9.9')).toMatchObject({ status: 1, output: expect.stringContaining('has changes') })
    rmSync(join(folder, 'new.txt'))
  })

  it('needs --without-audit where the registry does not respond', () => {
    expect(release('9.9.9')).toMatchObject({ status: 1, output: expect.stringContaining('--without-audit') })
    expect(git('tag')).toBe('')
  })

  it('restores the files, and neither commits nor tags, if packing fails', () => {
    writeFileSync(join(folder, 'scripts/pack-client.ts'), 'process.exit(3)\n')
    git('commit', '--quiet', '--all', '--message', 'Break the packing')
    expect(release('9.9.9', '--without-audit').status).not.toBe(0)
    expect([git('status', '--porcelain'), git('tag')]).toEqual(['', ''])
    git('reset', '--quiet', '--hard', 'HEAD~1')
  }, 300_000)

  it('writes version and date, packs both packages, commits and tags', () => {
    expect(release('9.9.9', '--without-audit')).toMatchObject({
      status: 0,
      output: expect.stringContaining('terce-client-9.9.9.tgz'),
    })
    expect(read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## Unreleased\n\n## 9\.9\.9, \d{4}-\d\d-\d\d\n\n### Added\n\n- A line\.\n\n## 0\.1\.0\n$/,
    )
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '9.9.9',
      packages: { '': { version: '9.9.9' } },
    })
    expect(git('show', '--stat', '--format=%s', 'v9.9.9^{commit}')).toMatch(
      /^Release 9\.9\.9\n.*3 files changed/s,
    )
    expect(git('status', '--porcelain')).toBe('')
    expect(release('9.9.9')).toMatchObject({ status: 1, output: expect.stringContaining('exists') })
  }, 300_000)
})
