// The data that an application keeps with an occasion or a task: a JSON object, stored as text.
import type { FieldProblem } from '../errors.ts'

export type Data = Readonly<Record<string, unknown>>

/** Of the JSON text in UTF-8. */
const MAX_BYTES = 4_096

/** Returns the text to store. Adds a problem that does not quote the data, which can be personal. */
export function parseData(data: Data | null | undefined, problems: FieldProblem[]): string | null {
  const text = data == null ? null : JSON.stringify(data)
  const bytes = text === null ? 0 : new TextEncoder().encode(text).length
  if (bytes > MAX_BYTES) {
    const message = `The data has ${bytes} bytes as JSON, and ${MAX_BYTES} are the most.`
    problems.push({ field: 'data', code: 'INVALID_VALUE', message })
  }
  return text
}

export function dataOf({ data = null }: { data?: string | null }): Data | null {
  return data === null ? null : JSON.parse(data)
}
