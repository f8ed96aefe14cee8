// Statements whose rows are selected as JSON arrays.
import { describe, expect, it } from 'vitest'
import { asJsonRows, valuesOf } from '../../../../src/stores/postgres/clients/json-rows.ts'

const ROWS = '(SELECT json_agg(value) FROM json_each(row_to_json(terce_rows)))::text AS "row" FROM terce_rows'

describe('A statement with its rows as JSON', () => {
  it.each([
    ['SELECT id, id FROM users', `WITH terce_rows AS (SELECT id, id FROM users\n) SELECT ${ROWS}`],
    ['select 1 -- one', `WITH terce_rows AS (select 1 -- one\n) SELECT ${ROWS}`],
    [
      `INSERT INTO users VALUES ('SELECT (') RETURNING id`,
      `WITH terce_rows AS (INSERT INTO users VALUES ('SELECT (') RETURNING id\n) SELECT ${ROWS}`,
    ],
    [
      `\n WITH gone AS (DELETE FROM users RETURNING "(a") UPDATE t SET a = 1 FROM gone RETURNING 1`,
      `WITH gone AS (DELETE FROM users RETURNING "(a") , terce_rows AS (UPDATE t SET a = 1 FROM gone RETURNING 1\n) SELECT ${ROWS}`,
    ],
  ])('is read from a common table expression: %s', (text, expected) => {
    expect(asJsonRows(text)).toBe(expected)
  })

  it.each([
    'SAVEPOINT terce',
    'ROLLBACK TO SAVEPOINT terce',
    'SET LOCAL enable_seqscan = off',
    'DELETE FROM users WHERE id IN (SELECT id FROM gone)',
    'WITH gone AS (DELETE FROM users RETURNING id) INSERT INTO t SELECT id FROM gone',
  ])('stays as it is if it returns none: %s', (text) => {
    expect(asJsonRows(text)).toBeNull()
  })

  it('has the values in the order of the columns', () => {
    expect(valuesOf([{ row: '["a", 1, null]' }])).toEqual([['a', 1, null]])
  })
})
