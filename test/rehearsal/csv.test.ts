import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CsvRecord, readCsv } from '../../src/rehearsal/csv.ts'

async function read(...pieces: string[]): Promise<CsvRecord[]> {
  async function* given() {
    yield* pieces
  }
  const records: CsvRecord[] = []
  for await (const record of readCsv(given())) records.push(record)
  return records
}

describe('comma-separated values', () => {
  it.each([
    ['LF', 'a,b\nc,d\n'],
    ['CRLF', 'a,b\r\nc,d\r\n'],
    ['CR', 'a,b\rc,d\r'],
    ['no line break at the end', 'a,b\nc,d'],
  ])('are read with %s', async (_, text) => {
    expect(await read(text)).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['c', 'd'] },
    ])
  })

  it('may hold commas, quotes and line breaks in quotes, and are counted by the line they begin on', async () => {
    expect(await read('"a,1","say ""hi"""\n"two\r\nlines",x\n\n,\nlast,""')).toEqual([
      { line: 1, fields: ['a,1', 'say "hi"'] },
      { line: 2, fields: ['two\r\nlines', 'x'] },
      { line: 5, fields: ['', ''] },
      { line: 6, fields: ['last', ''] },
    ])
  })

  it('are refused line by line where a quote is wrong', async () => {
    expect(await read('5" pipe,x\nok,1\n"a"b,c\nok,2\n"open,\nend')).toEqual([
      {
        line: 1,
        problem: 'A quote stands inside a field. Put the field in quotes and write the quote twice.',
      },
      { line: 2, fields: ['ok', '1'] },
      { line: 3, problem: 'Text follows a closing quote. Put the whole field in quotes.' },
      { line: 4, fields: ['ok', '2'] },
      { line: 5, problem: 'A quote is opened and never closed. Close it.' },
    ])
  })

  it('come back as they were written, however the pieces are cut', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é', '🎂') })
    const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(table, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (rows, cuts) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('')
        const pieces: string[] = []
        for (let at = 0; at < text.length; ) {
          const end = at + cuts.next().value
          pieces.push(text.slice(at, end))
          at = end
        }
        expect((await read(...pieces)).map((record) => 'fields' in record && record.fields)).toEqual(rows)
      }),
    )
  })
})
