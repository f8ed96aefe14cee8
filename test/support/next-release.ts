// The release after this one, as a test makes it: a copy of the sources with a higher version and further migrations.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RELEASE } from '../../src/stores/migrations/release.ts'

export const NEXT_RELEASE = '99.0.0'

/** They add what this release does not know, and remove nothing. */
const MIGRATIONS = {
  'postgres/9998_note.sql': `-- oldest release: ${RELEASE}\nALTER TABLE terce.events ADD COLUMN note text;\n`,
  'postgres/9999_note_index.sql': `-- oldest release: ${RELEASE}\n-- transaction: none
CREATE INDEX CONCURRENTLY events_by_note ON terce.events (note);\n`,
  'sqlite/9998_note.sql': `-- oldest release: ${RELEASE}\nALTER TABLE events ADD COLUMN note text;\n`,
}

export type NextRelease = {
  /** Its bin/terce.js. */
  command: string
  remove(): void
}

export function makeNextRelease(): NextRelease {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'terce-next-'))
  for (const name of ['bin', 'src', 'migrations'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, version: NEXT_RELEASE }))
  for (const [name, text] of Object.entries(MIGRATIONS)) writeFileSync(join(folder, 'migrations', name), text)
  return {
    command: join(folder, 'bin/terce.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
