// Reads and writes CSV (RFC 4180), on a server and in a browser. The reader works on a stream and keeps one record of bounded
// length in memory; the writer escapes cells that a spreadsheet would run as a formula.

/** A record with the line it begins on, or the problem of that line. Empty lines are skipped. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; problem: string }

/** Possible separators; the first line decides. */
export const SEPARATORS = [',', ';', '\t'] as const

/** How many characters are collected before parsing: chunks may arrive byte by byte. */
const STEP = 16 * 1024
const MAX_RECORD = 64 * 1024

/** All records of a text that is in memory. */
export function parseCsv(text: string, separators: readonly string[]): CsvRecord[] {
  return [...readRecords({ ...START, text }, separators, true)]
}

/** The records of a text that arrives in chunks. */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  separators: readonly string[] = [','],
): AsyncGenerator<CsvRecord> {
  const reading: Reading = { ...START }
  let looked = 0
  for await (const piece of pieces) {
    reading.text += piece
    if (reading.text.length < looked + STEP) continue
    yield* readRecords(reading, separators, false)
    looked = reading.text.length
  }
  yield* readRecords(reading, separators, true)
}

type Reading = {
  /** Arrived, but not parsed yet. */
  text: string
  line: number
  separator: string | null
  /** Inside a line that is too long. */
  skipping: boolean
}

const START: Readonly<Reading> = { text: '', line: 1, separator: null, skipping: false }

function* readRecords(reading: Reading, separators: readonly string[], isEnd: boolean): Generator<CsvRecord> {
  const { text } = reading
  // A byte order mark may precede the first line.
  let at = reading.separator === null && text.charCodeAt(0) === 0xfeff ? 1 : 0
  reading.separator ??= likeliestSeparator(text, separators)
  while (at < text.length) {
    const found = reading.skipping
      ? skipLine(text, at, { isEnd, isTooLong: true })
      : scanRecord(text, at, reading.separator.charCodeAt(0), isEnd)
    if (found === null) break
    const { line } = reading
    if ('problem' in found) yield { line, problem: found.problem }
    else if (found.fields !== null) yield { line, fields: found.fields }
    reading.line += found.lines
    reading.skipping = found.continues === true
    at = found.end
  }
  reading.text = text.slice(at)
}

/** The separator that is most frequent outside quotes in the first line. */
function likeliestSeparator(text: string, separators: readonly string[]): string {
  const outside = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0]!
  const count = (separator: string) => outside.split(separator).length
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best))
}

const [QUOTE, LF, CR] = [34, 10, 13]

/** Where a record ends and how many lines it has. `continues`: its end has not arrived, and the rest is skipped. */
type Found = { end: number; lines: number; continues?: boolean } & (
  | { fields: string[] | null }
  | { problem: string }
)

/** The record that begins at `start`; null if its end has not arrived. */
function scanRecord(text: string, start: number, separator: number, isEnd: boolean): Found | null {
  const isTooLong = text.length - start > MAX_RECORD
  const fields: string[] = []
  let [at, lines] = [start, 1]
  for (;;) {
    if (text.charCodeAt(at) === QUOTE) {
      const close = closingQuote(text, at + 1, isEnd)
      if (close === null && !isTooLong) return null
      if (close === null || close === NEVER) return broken(text, start, UNCLOSED, isEnd)
      const quoted = text.slice(at + 1, close)
      fields.push(quoted.replaceAll('""', '"'))
      lines += quoted.match(/\r\n?|\n/g)?.length ?? 0
      at = close + 1
    } else {
      const from = at
      while (at < text.length && isPlain(text.charCodeAt(at), separator)) at += 1
      fields.push(text.slice(from, at))
    }
    if (at === text.length) {
      if (isEnd) return { end: at, lines, fields }
      return isTooLong ? broken(text, start, TOO_LONG, isEnd) : null
    }
    const code = text.charCodeAt(at)
    if (code === LF || code === CR) {
      const end = afterBreak(text, at, isEnd)
      const isEmpty = at === start
      return end === null ? null : { end, lines, fields: isEmpty ? null : fields }
    }
    if (code !== separator) {
      if (text.charCodeAt(at - 1) !== QUOTE) return broken(text, start, INNER_QUOTE, isEnd)
      return broken(text, start, lines > 1 ? LATE_QUOTE : AFTER_QUOTE, isEnd)
    }
    at += 1
  }
}

function isPlain(code: number, separator: number): boolean {
  return code !== separator && code !== LF && code !== CR && code !== QUOTE
}

const UNCLOSED = 'A quote is opened and never closed. Close it.'
const TOO_LONG = `The line has more than ${MAX_RECORD} characters. Break it up.`
const LATE_QUOTE = 'A quote is opened here and closed in the middle of a later line. Close it here.'
const AFTER_QUOTE = 'Text follows a closing quote. Put the whole field in quotes.'
const INNER_QUOTE = 'A quote stands inside a field. Put the field in quotes and write the quote twice.'

const NEVER = -1

/** A doubled quote stands for one quote and closes nothing. Null if more text is needed to decide. */
function closingQuote(text: string, from: number, isEnd: boolean): number | null {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1) return isEnd ? NEVER : null
    if (at + 1 === text.length && !isEnd) return null
    if (text.charCodeAt(at + 1) !== QUOTE) return at
  }
}

/** Skips only the line on which the record begins: the lines after it may be valid. */
function broken(text: string, start: number, problem: string, isEnd: boolean): Found | null {
  const line = skipLine(text, start, { isEnd, isTooLong: text.length - start > MAX_RECORD })
  return line && { ...line, problem }
}

/** Does not wait for the end of a line that is too long. */
function skipLine(text: string, from: number, of: { isEnd: boolean; isTooLong: boolean }): Found | null {
  const length = text.slice(from).search(/[\r\n]/)
  if (length === -1) {
    return of.isEnd || of.isTooLong ? { end: text.length, lines: 0, fields: null, continues: true } : null
  }
  const end = afterBreak(text, from + length, of.isEnd)
  return end === null ? null : { end, lines: 1, fields: null }
}

/** CR LF is one line break, even if it arrives in two chunks. */
function afterBreak(text: string, at: number, isEnd: boolean): number | null {
  if (text.charCodeAt(at) === LF) return at + 1
  if (at + 1 === text.length && !isEnd) return null
  return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
}

/** One line with its line break. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`
}

// A spreadsheet would run a cell that begins like this as a formula. An apostrophe before it marks it as text.
const LIKE_A_FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

function csvCell(text: string): string {
  const cell = LIKE_A_FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The text of a cell without the apostrophe that csvLine put before it. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && LIKE_A_FORMULA.test(cell) ? cell.slice(1) : cell
}
