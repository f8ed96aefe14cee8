// The Merkle tree, compared with the vectors of Certificate Transparency and with the definitions of RFC 6962.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTreeBuilder, leafHash, leafOf } from '../../../src/domain/ledger/tree.ts'

// The reference data of Certificate Transparency: testonly/constants.go of github.com/transparency-dev/merkle.
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const PATHS = [
  { index: 0, size: 1, path: [] },
  {
    index: 0,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    index: 5,
    size: 8,
    path: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  { index: 2, size: 3, path: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
  {
    index: 1,
    size: 5,
    path: [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  },
]

const contents = LEAVES.map((hex) => Buffer.from(hex, 'hex'))

function build(leaves: readonly Uint8Array[], proven?: number) {
  const builder = createTreeBuilder()
  leaves.forEach((leaf, index) => {
    builder.add(leafHash(leaf), index === proven)
  })
  return builder
}

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

/** The definition of MTH in section 2.1 of RFC 6962. */
function rootOf(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!)
  const k = splitOf(leaves.length)
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)))
}

/** The definition of PATH in section 2.1.1 of RFC 6962. */
function pathOf(index: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length === 1) return []
  const k = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)]
  return index < k ? [...pathOf(index, left), rootOf(right)] : [...pathOf(index - k, right), rootOf(left)]
}

/** The largest power of two below n. */
function splitOf(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

describe('the Merkle tree', () => {
  it.each(ROOTS.map((root, size) => ({ root, size })))(
    'has the root of the Certificate Transparency vectors with $size leaves',
    ({ root, size }) => {
      expect(build(contents.slice(0, size)).root()).toBe(root)
    },
  )

  it.each(PATHS)('has the path of the vectors for leaf $index of $size', ({ index, size, path }) => {
    expect(build(contents.slice(0, size), index).proof()).toEqual({ index, path })
  })

  it('has the root and the path that RFC 6962 defines, for any size and leaf', () => {
    const tree = fc
      .integer({ min: 1, max: 70 })
      .chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)))
    fc.assert(
      fc.property(tree, ([size, index]) => {
        const leaves = Array.from({ length: size }, (_, i) => Buffer.from(`leaf ${i}`))
        const builder = build(leaves, index)
        expect(builder.root()).toBe(rootOf(leaves).toString('hex'))
        expect(builder.proof()).toEqual({
          index,
          path: pathOf(index, leaves).map((hash) => hash.toString('hex')),
        })
      }),
    )
  })

  it('returns a root and a proof between two leaves without changing the later ones', () => {
    const builder = createTreeBuilder()
    const roots = contents.map((content, index) => {
      builder.add(leafHash(content), index === 5)
      builder.proof()
      return builder.root()
    })
    expect(roots).toEqual(ROOTS.slice(1))
    expect(builder.proof()).toEqual({ index: 5, path: PATHS[2]!.path })
  })

  it('has no proof when no leaf was to be proven', () => {
    expect(build(contents).proof()).toBeNull()
  })
})

describe('a leaf', () => {
  it('is the hash of 0x00, the column and the bytes of the commitment', () => {
    const commitment = 'ab'.repeat(31).concat('07')
    const expected = sha256(Buffer.of(0), Buffer.from('delivered'), Buffer.from(commitment, 'hex'))
    expect(Buffer.from(leafOf('delivered', commitment)).toString('hex')).toBe(expected.toString('hex'))
  })
})
