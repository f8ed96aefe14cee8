import { describe, expect, it } from 'vitest'
import { neededRelease, parseMigration, pendingOf, stepsOf } from '../../../src/stores/migrations/files.ts'
import { isAtLeast, RELEASE } from '../../../src/stores/migrations/release.ts'
import { compare } from '../../../src/stores/migrations/schema-state.ts'

describe('the order of releases', () => {
  it.each([
    ['0.2.0', '0.2.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.2.0', '0.2.1', false],
    ['0.1.9', '0.2.0', false],
    ['0.2.0-beta.1', '0.2.0', true],
  ])('%s is at least %s: %s', (release, other, expected) => {
    expect(isAtLeast(release, other)).toBe(expected)
  })
})

describe('a migration file', () => {
  it('must state the oldest release that works with it', () => {
    expect(() => parseMigration('0010_more.sql', 'SELECT 1')).toThrow(
      '0010_more.sql has no line "-- oldest release: X.Y.Z"',
    )
  })

  it('states in its header the oldest release and whether it runs in a transaction', () => {
    const text = '-- oldest release: 0.3.0\n-- transaction: none\nSELECT 1;'
    expect(parseMigration('0012_more.sql', text)).toMatchObject({
      oldestRelease: '0.3.0',
      inTransaction: false,
    })
  })

  it('is split at its breakpoints, without comments', () => {
    const text = '-- Why.\nSELECT 1;\nSELECT 2;--> statement-breakpoint\n-- Why not.\n\nSELECT 3;\n'
    expect(stepsOf({ text })).toEqual(['SELECT 1;\nSELECT 2;', 'SELECT 3;'])
  })
})

describe('a database with migrations of newer releases', () => {
  it('needs the newest of their oldest releases that is newer than this release', () => {
    const applied = ['0.0.1', RELEASE, '9.10.0', '9.9.0'].map((oldestRelease, i) => ({
      name: `99${i}_later.sql`,
      oldestRelease,
    }))
    expect(neededRelease([], applied)).toBe('9.10.0')
    expect(neededRelease([], applied.slice(0, 2))).toBeNull()
  })
})

it('rejects a database that was made before the baseline, with the way out', () => {
  const applied = [{ name: '0000_start.sql', oldestRelease: '0.1.0' }]
  for (const check of [pendingOf, compare])
    expect(() => check([], applied)).toThrow(/before 0\.2\.0\. Export its people with that release/)
})
