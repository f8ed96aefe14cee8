// What a statement of a migration locks, and for how long. One table for the plan that an operator reads and for the guard that
// rejects a migration. Reads text only.

/** `catalog`: changes the catalog only. `build`: reads the whole table, and writes go on. `rewrite`: the table is locked for as long. */
export type Work = 'new' | 'catalog' | 'build' | 'rewrite' | 'unknown'

export type Effect = {
  /** Without its schema. Null if the statement has no table. */
  table: string | null
  /** The table-level lock, as the PostgreSQL manual names it. */
  lock: string | null
  work: Work
}

type Rule = readonly [pattern: RegExp, lock: string | null, work: Work]

const NAME = String.raw`(?:(?:"?\w+"?)\.)?"?(\w+)"?`
const on = (text: string) => new RegExp(text.replaceAll('NAME', NAME).replaceAll(' ', String.raw`\s+`), 'i')

const EXCLUSIVE = 'ACCESS EXCLUSIVE'

/** The first pattern that matches decides. The first group is the table. */
const RULES: readonly Rule[] = [
  [on('^CREATE TABLE (?:IF NOT EXISTS )?NAME'), null, 'new'],
  [on('^CREATE (?:OR REPLACE )?VIEW NAME'), null, 'catalog'],
  [on('^CREATE (?:OR REPLACE )?FUNCTION '), null, 'catalog'],
  [on('^DROP FUNCTION '), null, 'catalog'],
  [on('^(?:COMMENT ON|GRANT|REVOKE) '), null, 'catalog'],
  [on('^CREATE TRIGGER \\S+ (?:BEFORE|AFTER) .*? ON NAME'), 'SHARE ROW EXCLUSIVE', 'catalog'],
  [on('^LOCK TABLE NAME IN ACCESS EXCLUSIVE MODE'), EXCLUSIVE, 'catalog'],
  [on('^DROP TRIGGER \\S+ ON NAME'), EXCLUSIVE, 'catalog'],
  [on('^ALTER INDEX \\S+ RENAME '), 'SHARE UPDATE EXCLUSIVE', 'catalog'],
  [on('^ALTER TABLE NAME (?:NO )?INHERIT '), EXCLUSIVE, 'catalog'],
  [on('^ALTER TABLE NAME SET \\(fillfactor '), 'SHARE UPDATE EXCLUSIVE', 'catalog'],
  // Reads the partition unless a validated constraint implies its bounds.
  [on('^ALTER TABLE NAME ATTACH PARTITION '), 'SHARE UPDATE EXCLUSIVE', 'catalog'],
  [on('^CREATE (?:UNIQUE )?INDEX CONCURRENTLY .*? ON NAME'), 'SHARE UPDATE EXCLUSIVE', 'build'],
  [on('^DROP INDEX CONCURRENTLY '), 'SHARE UPDATE EXCLUSIVE', 'catalog'],
  [on('^CREATE (?:UNIQUE )?INDEX .*? ON NAME'), 'SHARE', 'rewrite'],
  [on('^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?NAME VALIDATE CONSTRAINT'), 'SHARE UPDATE EXCLUSIVE', 'build'],
  [on('^ALTER TABLE NAME ADD CONSTRAINT .* FOREIGN KEY .* NOT VALID$'), 'SHARE ROW EXCLUSIVE', 'catalog'],
  [on('^ALTER TABLE NAME ADD CONSTRAINT .* NOT VALID$'), EXCLUSIVE, 'catalog'],
  [on('^ALTER TABLE NAME ADD CONSTRAINT .* USING INDEX '), EXCLUSIVE, 'catalog'],
  [on('^ALTER TABLE NAME ADD (?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN) '), EXCLUSIVE, 'rewrite'],
  [
    on('^ALTER TABLE NAME ADD COLUMN .*? (?:PRIMARY KEY|UNIQUE|REFERENCES|CHECK|GENERATED) ?'),
    EXCLUSIVE,
    'rewrite',
  ],
  [on(String.raw`^ALTER TABLE NAME ADD COLUMN .*? DEFAULT [^;]*\(`), EXCLUSIVE, 'rewrite'],
  [on('^ALTER TABLE NAME ADD COLUMN '), EXCLUSIVE, 'catalog'],
  [on('^ALTER TABLE NAME ALTER COLUMN \\S+ (?:SET DATA )?TYPE '), EXCLUSIVE, 'rewrite'],
  [on('^ALTER TABLE NAME ALTER COLUMN \\S+ SET NOT NULL'), EXCLUSIVE, 'rewrite'],
  [on('^ALTER TABLE NAME ALTER COLUMN \\S+ (?:SET|DROP) DEFAULT'), EXCLUSIVE, 'catalog'],
  [on('^ALTER TABLE NAME ALTER COLUMN \\S+ DROP NOT NULL'), EXCLUSIVE, 'catalog'],
  [on('^ALTER (?:TABLE|VIEW) NAME (?:SET SCHEMA|RENAME|DROP) ?'), EXCLUSIVE, 'catalog'],
  [on('^DROP (?:TABLE|VIEW) (?:IF EXISTS )?NAME'), EXCLUSIVE, 'catalog'],
  [on('^(?:WITH \\w+ AS \\()?(?:UPDATE|DELETE FROM|INSERT INTO) (?:ONLY )?NAME'), 'ROW EXCLUSIVE', 'build'],
]

/** The statements of a step. A semicolon in the body of a function, between `$$` and `$$`, ends none. */
export function splitStep(step: string): string[] {
  const statements = step.match(/(?:\$\$[\s\S]*?\$\$|;(?!\s*(?:\n|$))|[^;])+/g) ?? []
  return statements.map((text) => text.trim()).filter((text) => text !== '')
}

/** A statement that no rule knows may do anything. */
export function effectOf(statement: string): Effect {
  const text = statement.replace(/;\s*$/, '').trim()
  for (const [pattern, lock, work] of RULES) {
    const match = pattern.exec(text)
    if (match !== null) return { table: match[1] ?? null, lock, work }
  }
  return { table: null, lock: EXCLUSIVE, work: 'unknown' }
}

/** Locks under which a claim waits: it writes these tables, and reads others. */
const STOPS_WRITES = ['SHARE', 'SHARE ROW EXCLUSIVE', 'EXCLUSIVE', EXCLUSIVE]
const WRITTEN_BY_CLAIMS = ['events', 'attempts', 'payloads']
const READ_BY_CLAIMS = ['users', 'occasions']

export function blocksClaims({ table, lock, work }: Effect): boolean {
  if (work === 'unknown') return true
  if (lock === null || table === null) return false
  if (lock === EXCLUSIVE) return [...WRITTEN_BY_CLAIMS, ...READ_BY_CLAIMS].includes(table)
  return STOPS_WRITES.includes(lock) && WRITTEN_BY_CLAIMS.includes(table)
}
