// The Merkle tree over the lines of a day, in the shape of RFC 6962: leaves and nodes are hashed under different prefixes, and an
// odd leaf is not duplicated.
import { hexOf, sha256 } from '../formats/sha256.ts'
import type { LedgerColumn } from './line.ts'

/** 32 bytes. */
export type Hash = Uint8Array<ArrayBuffer>

/** Where a leaf is in the tree, and the hashes that lead from it to the root, the nearest first. */
export type InclusionProof = { index: number; path: string[] }

export type TreeBuilder = {
  /** Leaves must be added in order. With `prove`, `proof` is about this leaf. */
  add(leaf: Hash, prove?: boolean): void
  /** In hexadecimal. More leaves may follow. */
  root(): string
  /** Null if no leaf was added with `prove`. */
  proof(): InclusionProof | null
}

/** The hash of `column`, in ASCII, and the 32 bytes of the commitment. */
export function leafOf(column: LedgerColumn, commitment: string): Hash {
  return leafOfBytes(column, bytesOf(commitment))
}

/** `commitment`: its 32 bytes. */
function leafOfBytes(column: LedgerColumn, commitment: Uint8Array): Hash {
  const start = column.length
  const content = new Uint8Array(start + 32)
  for (let i = 0; i < start; i++) content[i] = column.charCodeAt(i)
  content.set(commitment, start)
  return leafHash(content)
}

/** The 32 bytes of a commitment. */
export function bytesOf(commitment: string): Uint8Array {
  const bytes = new Uint8Array(32)
  for (let i = 0; i < 32; i++) {
    bytes[i] = (digitAt(commitment, i * 2) << 4) | digitAt(commitment, i * 2 + 1)
  }
  return bytes
}

/** A lower-case hexadecimal digit. Number.parseInt of each byte takes several times as long as the hash. */
function digitAt(hex: string, index: number): number {
  const code = hex.charCodeAt(index)
  return code > 57 ? code - 87 : code - 48
}

/** RFC 6962: SHA-256 of 0x00 and the content. */
export function leafHash(content: Uint8Array): Hash {
  const bytes = new Uint8Array(1 + content.length)
  bytes.set(content, 1)
  return sha256(bytes)
}

const node = new Uint8Array(65)

/** RFC 6962: SHA-256 of 0x01 and both children. */
function nodeHash(left: Hash, right: Hash): Hash {
  node[0] = 1
  node.set(left, 1)
  node.set(right, 33)
  return sha256(node)
}

/** A perfect subtree. */
type Subtree = { hash: Hash; leaves: number; isProven: boolean }

/** Keeps one hash for each level of the tree, so that a day of a million lines needs no more memory than a small day. */
export function createTreeBuilder(): TreeBuilder {
  /** From left to right, each with fewer leaves than the one before. */
  const subtrees: Subtree[] = []
  let size = 0
  let index: number | null = null
  const path: string[] = []

  function join(left: Subtree, right: Subtree, to: string[]): Subtree {
    if (left.isProven) to.push(hexOf(right.hash))
    if (right.isProven) to.push(hexOf(left.hash))
    return {
      hash: nodeHash(left.hash, right.hash),
      leaves: left.leaves + right.leaves,
      isProven: left.isProven || right.isProven,
    }
  }

  /** Joins the subtrees from the right, as the tree ends here. */
  function close(to: string[]): Hash {
    const whole = subtrees.reduceRight<Subtree | null>(
      (right, left) => (right === null ? left : join(left, right, to)),
      null,
    )
    return whole?.hash ?? sha256(new Uint8Array(0))
  }

  return {
    add(leaf, prove = false) {
      if (prove) index = size
      size += 1
      let last: Subtree = { hash: leaf, leaves: 1, isProven: prove }
      while (subtrees.at(-1)?.leaves === last.leaves) last = join(subtrees.pop()!, last, path)
      subtrees.push(last)
    },
    root: () => hexOf(close([])),
    proof() {
      if (index === null) return null
      const rest: string[] = []
      close(rest)
      return { index, path: [...path, ...rest] }
    },
  }
}
