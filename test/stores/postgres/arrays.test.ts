// Rows as parameters of a statement.
import { describe, expect, it } from 'vitest'
import { rowSource } from '../../../src/stores/postgres/arrays.ts'
import type { Columns } from '../../../src/stores/shared/columns/columns.ts'

type Person = { id: string; name: string }

const [A, B] = ['019aa000-0000-7000-8000-000000000001', '019aa000-0000-7000-8000-000000000002']
const AT = Date.UTC(2026, 10, 16, 9)

const COLUMNS: Columns<Person> = {
  id: ['uuid', ({ id }) => id],
  name: ['text', ({ name }) => name],
  version: ['int', () => 1],
  at: ['instant', () => AT],
  until: ['text', () => null],
}

describe('the rows of a bulk insert', () => {
  it('have a column on which all rows agree as one value, and the others as arrays', () => {
    const records = [
      { id: A, name: 'Ada' },
      { id: B, name: 'Eve' },
    ]
    const { list, from, values } = rowSource(COLUMNS, records)
    expect(list).toBe('ref.id, ref.name, $3::int, $4::timestamptz, $5::text')
    expect(from).toBe('unnest($1::uuid[], $2::text[]) AS ref (id, name)')
    expect(values.slice(2)).toEqual([1, '2026-11-16T09:00:00.000Z', null])
  })

  it('have an array of ids also for a single row and for none, so that the statement has as many rows', () => {
    for (const records of [[], [{ id: A, name: 'Ada' }]]) {
      const { from, values } = rowSource(COLUMNS, records)
      expect(from).toContain('unnest($1::uuid[]')
      expect(values[0]).toBeInstanceOf(Buffer)
    }
  })
})
