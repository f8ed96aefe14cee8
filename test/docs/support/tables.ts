// Reads the Markdown tables of a page.
import { readFileSync } from 'node:fs'

/** The rows of the table whose header begins with these cells. */
export function rowsOf(page: string, ...header: string[]): string[][] {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')
  const tables = text.replaceAll(/^```[\s\S]*?^```/gm, '').match(/(?:^\|.*\n?)+/gm) ?? []
  const found = tables
    .map((table) => table.trimEnd().split('\n').map(cellsOf))
    .filter(([cells]) => header.every((cell, i) => cells![i] === cell))
  if (found.length !== 1)
    throw new Error(`${page} has ${found.length} tables with the header ${header.join(' | ')}.`)
  return found[0]!.slice(2)
}

/** The texts in code spans. */
export const spansOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)

const cellsOf = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
