// The leaves of a day as bytes: what a shard sends of its lines, so that one process can compute the root over all shards.
import { LEDGER_COLUMNS, type StoredLine } from './line.ts'
import { bytesOf, createTreeBuilder, leafOfBytes } from './tree.ts'

/** One byte for the column, then the commitment. */
const SIZE = 33

export function packLeaf({ column, commitment }: Pick<StoredLine, 'column' | 'commitment'>): Uint8Array {
  const leaf = new Uint8Array(SIZE)
  leaf[0] = LEDGER_COLUMNS.indexOf(column)
  leaf.set(bytesOf(commitment), 1)
  return leaf
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** The root over leaves in any order: the tree has them in order of commitment. */
export function rootOfPacked(leaves: Uint8Array): string {
  const count = leaves.length / SIZE
  const view = new DataView(leaves.buffer, leaves.byteOffset, leaves.length)
  // Nearly always decides. A number compares faster than bytes.
  const firstBytes = Float64Array.from({ length: count }, (_, i) => Number(view.getBigUint64(i * SIZE + 1)))
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  order.sort((a, b) => firstBytes[a]! - firstBytes[b]! || compareAt(leaves, a, b))
  const tree = createTreeBuilder()
  for (const i of order) {
    const start = i * SIZE
    tree.add(leafOfBytes(LEDGER_COLUMNS[leaves[start]!]!, leaves.subarray(start + 1, start + SIZE)))
  }
  return tree.root()
}

function compareAt(leaves: Uint8Array, a: number, b: number): number {
  for (let i = 1; i < SIZE; i++) {
    const difference = leaves[a * SIZE + i]! - leaves[b * SIZE + i]!
    if (difference !== 0) return difference
  }
  return 0
}
