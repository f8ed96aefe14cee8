// CSV: every valid row is read with its line number, also next to invalid rows.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CsvRecord, csvLine, readCsv, SEPARATORS, unguarded } from '../../../src/domain/formats/csv.ts'

async function read(...pieces: string[]): Promise<CsvRecord[]> {
  async function* given() {
    yield* pieces
  }
  const records: CsvRecord[] = []
  for await (const record of readCsv(given(), SEPARATORS)) records.push(record)
  return records
}

const fields = (records: CsvRecord[]) => records.map((record) => ('fields' in record ? record.fields : []))

describe('readCsv()', () => {
  it.each([
    ['LF', 'a,b\nc,d\n'],
    ['CRLF', 'a,b\r\nc,d\r\n'],
    ['CR', 'a,b\rc,d\r'],
    ['no line break at the end', 'a,b\nc,d'],
  ])('reads lines that end with %s', async (_, text) => {
    expect(await read(text)).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['c', 'd'] },
    ])
  })

  it('reads quoted commas, quotes and line breaks, and returns the line on which each record begins', async () => {
    expect(await read('"a,1","say ""hi"""\n"two\r\nlines",x\n\n,\nlast,""')).toEqual([
      { line: 1, fields: ['a,1', 'say "hi"'] },
      { line: 2, fields: ['two\r\nlines', 'x'] },
      { line: 5, fields: ['', ''] },
      { line: 6, fields: ['last', ''] },
    ])
  })

  it('reports each line with a misplaced quote', async () => {
    expect(await read('5" pipe,x\nok,1\n"a"b,c\nok,2\n"open,\nend')).toEqual([
      {
        line: 1,
        problem: 'A quote stands inside a field. Put the field in quotes and write the quote twice.',
      },
      { line: 2, fields: ['ok', '1'] },
      { line: 3, problem: 'Text follows a closing quote. Put the whole field in quotes.' },
      { line: 4, fields: ['ok', '2'] },
      { line: 5, problem: 'A quote is opened and never closed. Close it.' },
      { line: 6, fields: ['end'] },
    ])
  })

  it('skips only the line of an unclosed quote that a later quote seems to close', async () => {
    expect(await read('a,b\n1,"open\n2,x\n3,"y, z"\n4,"w"\n')).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, problem: expect.stringMatching(/opened here and closed in the middle of a later line/) },
      { line: 3, fields: ['2', 'x'] },
      { line: 4, fields: ['3', 'y, z'] },
      { line: 5, fields: ['4', 'w'] },
    ])
  })

  it('skips only the line of a quote that is never closed, or a line that is too long', async () => {
    const rows = Array.from({ length: 9_000 }, (_, i) => `${i},${'x'.repeat(20)}\n`)
    const cut = async (text: string) => read(...(text.match(/[\s\S]{1,60000}/g) ?? []))
    const unclosed = await cut(`a,b\n"open,x\n${rows.join('')}`)
    expect(unclosed[1]).toEqual({ line: 2, problem: 'A quote is opened and never closed. Close it.' })
    expect(unclosed).toHaveLength(9_002)
    expect(unclosed.at(-1)).toEqual({ line: 9_002, fields: ['8999', 'x'.repeat(20)] })

    const endless = await cut(`a,b\n${'x'.repeat(300_000)}\n${rows.join('')}`)
    expect(endless[1]).toEqual({ line: 2, problem: expect.stringMatching(/more than 65536 characters/) })
    expect(endless).toHaveLength(9_002)
    expect(endless.at(-1)).toMatchObject({ line: 9_002 })
  })

  it.each([
    [',', 'a,b;c,d\n1,2,3\n', 'a|b;c|d 1|2|3'],
    [';', 'a;"b,c";d,e\n1;2;3\n', 'a|b,c|d,e 1|2|3'],
    ['a tab', 'a\tb\tc,d\n1\t2\t3\n', 'a|b|c,d 1|2|3'],
    ['nothing', 'a\n1\n', 'a 1'],
  ])('uses %s as the separator if the first line does', async (_, text, expected) => {
    const lines = fields(await read(text)).map((line) => line.join('|'))
    expect(lines.join(' ')).toBe(expected)
  })

  it('skips a byte order mark', async () => {
    expect(fields(await read('\ufeff"a",b\n'))).toEqual([['a', 'b']])
  })

  it('returns the cells that were written, at any chunk size', async () => {
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

  it('agrees with another CSV parser', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', ',', ';', '"', '\n', 'é', '🎂') })
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const text = ['x,y\r\n', ...rows.map(csvLine)].join('')
        expect(fields(await read(text))).toEqual(parse(text, { skip_empty_lines: true }))
      }),
    )
  })
})

describe('csvLine()', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-x', "'-x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ["O'Neill", "O'Neill"],
    ["'t Hooft", "'t Hooft"],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ])('escapes %s so that it is not a formula', (text, cell) => {
    expect(csvLine([text, null])).toBe(`${cell},\r\n`)
  })

  it('is reversed by readCsv() and unguarded()', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', "'", '=', '-', '@', '+', ',', '"', '\n', '🎂', '＝'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 2, maxLength: 5 }), async (cells) => {
        const [record] = fields(await read('x,y\r\n', csvLine(cells))).slice(1)
        for (const cell of record!) expect(cell).not.toMatch(/^[=+\-@＝]/)
        expect(record?.map(unguarded)).toEqual(cells)
      }),
    )
  })
})
