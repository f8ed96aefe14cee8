// Comma-separated values (RFC 4180): read piece by piece, each record with its line, and written so that no
// spreadsheet takes a cell for a formula. Holds one record at a time, and a bounded one.

/** A record with the line it begins on, or what is wrong there. Empty lines are left out. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; problem: string }

/** What may stand between cells; the first line decides. */
export const SEPARATORS = [',', ';', '\t'] as const

/** How much is gathered before it is looked at: pieces may come byte by byte. */
const STEP = 16 * 1024
const MAX_RECORD = 64 * 1024

export async function* readCsv(
  pieces: AsyncIterable<string>,
  separators: readonly string[] = [','],
): AsyncGenerator<CsvRecord> {
  const reading: Reading = { text: '', line: 1, separator: null, skipping: false }
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
  /** What has come and is not yet read. */
  text: string
  line: number
  separator: string | null
  /** Within a line that is too long to be one. */
  skipping: boolean
}

function* readRecords(reading: Reading, separators: readonly string[], isEnd: boolean): Generator<CsvRecord> {
  const { text } = reading
  // Some programs put a mark before the first line.
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
    reading.skipping = found.goesOn === true
    at = found.end
  }
  reading.text = text.slice(at)
}

/** Most often outside quotes in the first line. */
function likeliestSeparator(text: string, separators: readonly string[]): string {
  const outside = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0]!
  const count = (separator: string) => outside.split(separator).length
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best))
}

const [QUOTE, LF, CR] = [34, 10, 13]

/** Where it ends and how many lines it took. One that goes on has no end in sight, and is not waited for. */
type Found = { end: number; lines: number; goesOn?: boolean } & (
  | { fields: string[] | null }
  | { problem: string }
)

/** The record that begins there; null if its end has not come. */
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

/** Two quotes within quotes are one, and close nothing. Null if that cannot be told yet. */
function closingQuote(text: string, from: number, isEnd: boolean): number | null {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1) return isEnd ? NEVER : null
    if (at + 1 === text.length && !isEnd) return null
    if (text.charCodeAt(at + 1) !== QUOTE) return at
  }
}

/** Only the line that it begins on is given up: what follows may be good. */
function broken(text: string, start: number, problem: string, isEnd: boolean): Found | null {
  const line = skipLine(text, start, { isEnd, isTooLong: text.length - start > MAX_RECORD })
  return line && { ...line, problem }
}

/** A line whose end is too far off is not waited for. */
function skipLine(text: string, from: number, of: { isEnd: boolean; isTooLong: boolean }): Found | null {
  const length = text.slice(from).search(/[\r\n]/)
  if (length === -1) {
    return of.isEnd || of.isTooLong ? { end: text.length, lines: 0, fields: null, goesOn: true } : null
  }
  const end = afterBreak(text, from + length, of.isEnd)
  return end === null ? null : { end, lines: 1, fields: null }
}

/** CR and LF are one line break, even when they come in two pieces. */
function afterBreak(text: string, at: number, isEnd: boolean): number | null {
  if (text.charCodeAt(at) === LF) return at + 1
  if (at + 1 === text.length && !isEnd) return null
  return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
}

/** One line with its break. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`
}

// A spreadsheet would calculate a cell that begins so. A quote before it says that it is text.
const LIKE_A_FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

function csvCell(text: string): string {
  const cell = LIKE_A_FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The text that was meant, without the quote that guards it. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && LIKE_A_FORMULA.test(cell) ? cell.slice(1) : cell
}
