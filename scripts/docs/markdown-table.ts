// A Markdown table of which some cells come from the code and the others, with sentences and links, are written by hand.

/** The first cell names the row. Null stands for a cell that is written by hand. */
export type Row = readonly [key: string, ...cells: (string | null)[]]

/**
 * Renders the rows below the written header. Rows that are written already keep their order and their hand-written cells; those that
 * the code no longer has are removed.
 */
export function table(rows: (keys: string[]) => readonly Row[]): (written: string) => string {
  return (written) => {
    const [header, rule, ...lines] = written.trimEnd().split('\n')
    if (rule === undefined || !/^\|(-+\|)+$/.test(rule)) throw new Error('There is no table with a header.')
    const kept = new Map(lines.map(cellsOf).map((cells) => [cells[0]!, cells]))
    const keys = [...kept.keys()]
    const made = rows(keys)
    const added = made.filter(([key, ...cells]) => cells.includes(null) && !kept.has(key))
    if (added.length > 0)
      throw new Error(`Add a row for ${added.map(([key]) => key).join(', ')}, with its meaning.`)
    const placeOf = ([key]: Row) => (kept.has(key) ? keys.indexOf(key) : keys.length)
    const ordered = [...made].sort((one, other) => placeOf(one) - placeOf(other))
    const texts = ordered.map((row) => row.map((cell, i) => cell ?? kept.get(row[0])![i] ?? ''))
    return [header, rule, ...texts.map(lineOf)].join('\n')
  }
}

const cellsOf = (line: string) =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const lineOf = (cells: readonly string[]) =>
  `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`

export const code = (text: string) => `\`${text}\``

export const codes = (texts: readonly string[]) => texts.map(code).join(', ')
