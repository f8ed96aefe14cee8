// The published package of an earlier release, unpacked beside a link to the dependencies of this one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const FIRST_RELEASE = '0.1.0'

export type OldRelease = {
  /** Its bin/terce.js. */
  command: string
  /** Its dist folder. */
  dist: string
  remove(): void
}

export function unpackRelease(release: string = FIRST_RELEASE): OldRelease {
  const folder = mkdtempSync(join(tmpdir(), 'terce-release-'))
  const packed = fileURLToPath(new URL(`../data/releases/terce-${release}.tgz`, import.meta.url))
  execFileSync('tar', ['-xzf', packed, '-C', folder])
  const root = join(folder, 'package')
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'))
  return {
    command: join(root, 'bin/terce.js'),
    dist: join(root, 'dist'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
