// Reads the Markdown tables of a page.
import { readFileSync } from 'node:fs'

export type Table = { header: string[]; rows: string[][] }

const read = (page: string) => readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')

/** The tables of a page, outside code blocks, in their order. */
export function tablesIn(text: string): Table[] {
  const blocks = text.replaceAll(/^```[\s\S]*?^```/gm, '').match(/(?:^\|.*\n?)+/gm) ?? []
  return blocks.map((block) => {
    const [header, , ...rows] = block.trimEnd().split('\n').map(cellsOf)
    return { header: header!, rows }
  })
}

/** The rows of the table whose header begins with these cells. */
export function rowsOf(page: string, ...header: string[]): string[][] {
  const found = tablesIn(read(page)).filter((table) => header.every((cell, i) => table.header[i] === cell))
  if (found.length !== 1)
    throw new Error(`${page} has ${found.length} tables with the header ${header.join(' | ')}.`)
  return found[0]!.rows
}

/** The texts in code spans. */
export function spansOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())
}
