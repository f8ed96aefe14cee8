// Statements for libraries that return a row as an object, which loses one of two columns of a name, and parse values in their own
// way: Prisma, for example, reads a timestamp of a session in Jakarta as UTC. They select one column instead, the text of a JSON array.

/** The statement with each row as a JSON array in the column `row`; null if it returns no rows. */
export function asJsonRows(statement: string): string | null {
  const text = statement.trim()
  const words = outerWords(text)
  // Common table expressions are in parentheses.
  const main = words.find(({ word }) => /^(SELECT|VALUES|INSERT|UPDATE|DELETE|MERGE)$/.test(word))
  const isRead = main?.word === 'SELECT' || main?.word === 'VALUES'
  if (main === undefined || !(isRead || words.some(({ word }) => word === 'RETURNING'))) return null
  const before = main.at === 0 ? 'WITH' : `${text.slice(0, main.at)},`
  return `${before} terce_rows AS (${text.slice(main.at)}\n) SELECT (SELECT json_agg(value) FROM json_each(row_to_json(terce_rows)))::text AS "row" FROM terce_rows`
}

/** Rows as the driver returns them for `asJsonRows`. */
export type JsonRow = { row: string }

export function valuesOf(rows: readonly JsonRow[]): unknown[][] {
  return rows.map(({ row }) => JSON.parse(row))
}

const TOKEN = /'[^']*'|"[^"]*"|--.*|\/\*[\s\S]*?\*\/|[()]|\w+/g

/** The words outside of parentheses, strings, quoted names and comments. */
function outerWords(text: string): { word: string; at: number }[] {
  let depth = 0
  const words: { word: string; at: number }[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    else if (depth === 0) words.push({ word: token.toUpperCase(), at: index })
  }
  return words
}
