// Reads comma-separated values (RFC 4180) piece by piece: quotes, line breaks within them, CRLF, LF or CR.

/** A record with the line it begins on, or what is wrong there. Empty lines are left out. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; problem: string }

export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader()
  for await (const piece of pieces) yield* reader.read(piece)
  yield* reader.end()
}

/** `start` is before a field's first character, `closed` after its closing quote, `broken` until the end of the line. */
type State = 'start' | 'plain' | 'quoted' | 'closed' | 'broken'

class CsvReader {
  private state: State = 'start'
  private field = ''
  private fields: string[] = []
  private line = 1
  private beganOn = 1
  private problem = ''
  private afterReturn = false

  private readQuoted(character: string): void {
    if (character === '"') this.state = 'closed'
    else this.field += character
  }

  *read(piece: string): Generator<CsvRecord> {
    for (const character of piece) {
      const secondOfPair = this.afterReturn && character === '\n'
      this.afterReturn = character === '\r'
      const isBreak = character === '\n' || character === '\r'
      if (this.state === 'quoted') this.readQuoted(character)
      else if (isBreak && !secondOfPair) yield* this.endRecord()
      else if (!isBreak) this.readOpen(character)
      if (isBreak && !secondOfPair) this.line += 1
      if (isBreak && this.state === 'start' && this.fields.length === 0) this.beganOn = this.line
    }
  }

  /** The last record needs no line break. */
  *end(): Generator<CsvRecord> {
    if (this.state === 'quoted') {
      yield { line: this.beganOn, problem: 'A quote is opened and never closed. Close it.' }
    } else yield* this.endRecord()
  }

  private readOpen(character: string): void {
    if (this.state === 'broken') return
    if (character === ',') {
      this.fields.push(this.field)
      this.field = ''
      this.state = 'start'
    } else if (character === '"') this.readQuote()
    else if (this.state === 'closed')
      this.break('Text follows a closing quote. Put the whole field in quotes.')
    else {
      this.field += character
      this.state = 'plain'
    }
  }

  private readQuote(): void {
    if (this.state === 'plain') {
      this.break('A quote stands inside a field. Put the field in quotes and write the quote twice.')
      return
    }
    // Two quotes within quotes are one.
    if (this.state === 'closed') this.field += '"'
    this.state = 'quoted'
  }

  private break(problem: string): void {
    this.problem = problem
    this.state = 'broken'
  }

  private *endRecord(): Generator<CsvRecord> {
    const { state, beganOn: line } = this
    const isEmpty = state === 'start' && this.fields.length === 0
    if (state === 'broken') yield { line, problem: this.problem }
    else if (!isEmpty) yield { line, fields: [...this.fields, this.field] }
    this.field = ''
    this.fields = []
    this.state = 'start'
  }
}
