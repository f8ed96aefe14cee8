// The migrations hold up no claim for long and keep the release before working.
import { describe, expect, it } from 'vitest'
import { parseMigration, readMigrations } from '../../../../src/stores/migrations/files.ts'
import { MIGRATIONS } from '../../../../src/stores/postgres/migrations/migrate.ts'
import { blocksClaims, effectOf, splitStep } from '../../../../src/stores/postgres/migrations/statements.ts'
import { MIGRATIONS as SQLITE_MIGRATIONS } from '../../../../src/stores/sqlite/names.ts'
import { violationsOf } from './support/guard.ts'

/** The newest release that was published runs beside the one that has the migration. */
const LAST = '0.2.0'

describe('the migrations', () => {
  it.each(readMigrations(MIGRATIONS))('$name on PostgreSQL obeys the rules of migrations', (migration) => {
    expect(violationsOf(migration, LAST)).toEqual([])
  })

  it('on SQLite remove nothing that the release before uses', () => {
    const removing = readMigrations(SQLITE_MIGRATIONS).flatMap((migration) =>
      violationsOf(migration, LAST).filter((violation) => violation.startsWith('removes')),
    )
    expect(removing).toEqual([])
  })
})

describe('the rules of migrations', () => {
  const planted = (statement: string, header = '') =>
    violationsOf(
      parseMigration('0099_planted.sql', `-- oldest release: 0.2.0\n${header}\n${statement};`),
      LAST,
    )

  it.each([
    'CREATE INDEX by_zone ON terce.events (timezone)',
    'CREATE UNIQUE INDEX by_zone ON terce.events USING btree ("timezone")',
    'ALTER TABLE terce.events ADD CONSTRAINT positive CHECK (retry_count >= 0)',
    'ALTER TABLE terce.events ADD CONSTRAINT one UNIQUE (occurrence)',
    'ALTER TABLE terce.events ADD FOREIGN KEY (occasion_id) REFERENCES terce.occasions (id)',
    'ALTER TABLE terce.events ADD COLUMN channel uuid REFERENCES terce.channels (id)',
    'ALTER TABLE terce.events ADD COLUMN token uuid DEFAULT gen_random_uuid() NOT NULL',
    'ALTER TABLE terce.events ADD COLUMN seen timestamptz NOT NULL DEFAULT clock_timestamp()',
    'ALTER TABLE terce.events ALTER COLUMN retry_count TYPE bigint',
    'ALTER TABLE terce.events ALTER COLUMN retry_count SET DATA TYPE bigint',
    'ALTER TABLE terce.events ALTER COLUMN channel_id SET NOT NULL',
  ])('reject a lock for as long as a table is read or written: %s', (statement) => {
    expect(planted(statement)).toEqual([expect.stringMatching(/^locks a table while/)])
  })

  it.each([
    'DROP TABLE terce.moves',
    'ALTER TABLE terce.events DROP COLUMN own_key',
    'ALTER TABLE terce.events RENAME COLUMN own_key TO has_own_key',
    'ALTER TABLE terce.events RENAME TO open_events',
    'ALTER TABLE terce.events SET SCHEMA other',
    'ALTER TABLE terce.events DROP CONSTRAINT events_pkey',
  ])('reject a removal that the release before does not survive: %s', (statement) => {
    expect(planted(statement)).toEqual([expect.stringMatching(/^removes what 0\.2\.0 uses/)])
    const contract = parseMigration('0099_planted.sql', `-- oldest release: 0.3.0\n${statement};`)
    expect(violationsOf(contract, LAST)).toEqual([])
  })

  it.each([
    'DO $$ BEGIN PERFORM 1; END $$',
    'VACUUM FULL terce.events',
    'CLUSTER terce.events',
    'REINDEX TABLE terce.events',
  ])('reject a statement whose locks they do not know: %s', (statement) => {
    expect(planted(statement)).toEqual([expect.stringMatching(/^has a statement with unknown locks/)])
  })

  it.each([
    'CREATE INDEX CONCURRENTLY by_zone ON terce.events (timezone)',
    'ALTER TABLE terce.events VALIDATE CONSTRAINT positive',
    `UPDATE terce.events SET own_key = true`,
  ])('reject a long statement in a transaction and allow it by itself: %s', (statement) => {
    expect(planted(statement)).toEqual([expect.stringMatching(/^needs the header/)])
    expect(planted(statement, '-- transaction: none')).toEqual([])
  })

  it('allow an index on a table that the migration creates, and reject one on another table', () => {
    const create = 'CREATE TABLE terce.notes (id uuid);\n'
    expect(planted(`${create}CREATE INDEX notes_by_id ON terce.notes (id)`)).toEqual([])
    expect(planted(`${create}CREATE INDEX by_zone ON terce.events (timezone)`)).toHaveLength(1)
  })

  it('see a function as one statement, with the semicolons of its body', () => {
    const text = 'CREATE FUNCTION terce.f() RETURNS int LANGUAGE plpgsql AS $$\nBEGIN\n  RETURN 1;\nEND\n$$'
    expect(splitStep(`${text};\nREVOKE ALL ON FUNCTION terce.f() FROM PUBLIC;`)).toEqual([
      text,
      'REVOKE ALL ON FUNCTION terce.f() FROM PUBLIC',
    ])
    expect(planted(text)).toEqual([])
  })

  it.each([
    'CREATE TABLE terce.notes (id uuid PRIMARY KEY)',
    'ALTER TABLE terce.events ADD COLUMN note text',
    'ALTER TABLE terce.events ADD COLUMN tries integer DEFAULT 0 NOT NULL',
    'ALTER TABLE terce.events ADD CONSTRAINT positive CHECK (retry_count >= 0) NOT VALID',
    'ALTER TABLE terce.events ADD CONSTRAINT known FOREIGN KEY (channel_id) REFERENCES terce.channels (id) NOT VALID',
    'ALTER TABLE terce.events ALTER COLUMN own_key SET DEFAULT true',
  ])('allow a change of the catalog: %s', (statement) => {
    expect(planted(statement)).toEqual([])
  })
})

describe('the lock of a statement', () => {
  it.each([
    ['ALTER TABLE "terce"."events" ADD COLUMN "note" text', 'events', 'ACCESS EXCLUSIVE', true],
    ['ALTER TABLE public.users SET SCHEMA terce', 'users', 'ACCESS EXCLUSIVE', true],
    ['ALTER TABLE terce.sessions ADD COLUMN note text', 'sessions', 'ACCESS EXCLUSIVE', false],
    ['CREATE INDEX i ON terce.events (id)', 'events', 'SHARE', true],
    ['CREATE INDEX i ON terce.users (id)', 'users', 'SHARE', false],
    ['CREATE INDEX CONCURRENTLY i ON terce.events (id)', 'events', 'SHARE UPDATE EXCLUSIVE', false],
    ['CREATE TABLE terce.notes (id uuid)', 'notes', null, false],
    ['CREATE TRIGGER t BEFORE INSERT ON terce.payloads', 'payloads', 'SHARE ROW EXCLUSIVE', true],
    [
      'ALTER TABLE terce.payloads ATTACH PARTITION terce.more DEFAULT',
      'payloads',
      'SHARE UPDATE EXCLUSIVE',
      false,
    ],
    [
      'WITH moved AS (DELETE FROM ONLY terce.payloads RETURNING *) SELECT',
      'payloads',
      'ROW EXCLUSIVE',
      false,
    ],
    ['VACUUM FULL', null, 'ACCESS EXCLUSIVE', true],
  ])('%s', (statement, table, lock, waits) => {
    const effect = effectOf(statement)
    expect([effect.table, effect.lock, blocksClaims(effect)]).toEqual([table, lock, waits])
  })
})
