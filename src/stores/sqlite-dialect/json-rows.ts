// Rows as JSON parameters, for D1, which takes 100 parameters and 2 MB in each.
import type { OverRows, Value } from './executor.ts'

/** In UTF-8 a character takes three bytes at most: half of what one parameter may hold. */
const PART_CHARACTERS = 330_000

/** The statement with its table expression, and its parameter for each part in which it has to run. */
export function overJsonRows({ sql, columns, rows }: OverRows): { sql: string; parts: Value[] } {
  return { sql: sql.replace('{rows}', jsonTable(columns)), parts: jsonParts(rows) }
}

/** The rows as JSON arrays of arrays, in as few as may be sent. */
function jsonParts(rows: OverRows['rows']): string[] {
  const parts: string[] = []
  let part = ''
  for (const row of rows) {
    const json = JSON.stringify(row)
    if (part !== '' && part.length + json.length > PART_CHARACTERS) {
      parts.push(`[${part}]`)
      part = ''
    }
    part += part === '' ? json : `,${json}`
  }
  if (part !== '') parts.push(`[${part}]`)
  return parts
}

/** The table of the rows in a parameter, which is a JSON array of arrays. */
export function jsonTable(columns: readonly string[], parameter = '?'): string {
  const fields = columns.map((column, i) => `value->>${i} AS ${column}`)
  return `(SELECT ${fields.join(', ')} FROM json_each(${parameter}))`
}
