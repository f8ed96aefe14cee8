// The root over packed leaves of several shards is that of the tree over their lines.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LEDGER_COLUMNS } from '../../../src/domain/ledger/line.ts'
import { joinBytes, packLeaf, rootOfPacked } from '../../../src/domain/ledger/packed-leaves.ts'
import { createTreeBuilder, leafOf } from '../../../src/domain/ledger/tree.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const linesOf = (count: number, commitmentOf = (i: number) => hash(String(i))) =>
  Array.from({ length: count }, (_, i) => ({
    column: LEDGER_COLUMNS[i % LEDGER_COLUMNS.length]!,
    commitment: commitmentOf(i),
  }))

function treeRoot(lines: ReturnType<typeof linesOf>): string {
  const tree = createTreeBuilder()
  const ordered = lines.toSorted((a, b) => (a.commitment < b.commitment ? -1 : 1))
  for (const { column, commitment } of ordered) tree.add(leafOf(column, commitment))
  return tree.root()
}

describe('packed leaves', () => {
  it.each([0, 1, 2, 7, 100])('of %i lines in any order have the root of the tree', (count) => {
    const lines = linesOf(count)
    expect(rootOfPacked(joinBytes(lines.map(packLeaf)))).toBe(treeRoot(lines))
  })

  it('are ordered by all bytes of a commitment', () => {
    const lines = linesOf(40, (i) => `${'ff'.repeat(20)}${hash(String(i)).slice(0, 24)}`)
    expect(rootOfPacked(joinBytes(lines.map(packLeaf)))).toBe(treeRoot(lines))
  })

  it('take 33 bytes each', () => {
    expect(joinBytes(linesOf(10).map(packLeaf))).toHaveLength(330)
  })
})
