// The edit distance between two words, to find the name that a misspelling stands for.

/** No timezone has a longer name. */
const MAX_LENGTH = 100
const newRow = () => new Uint8Array(MAX_LENGTH + 2)
/** The rows of the current letter, the previous letter, and the letter before that; reused for every call. */
let rows: [Uint8Array, Uint8Array, Uint8Array] = [newRow(), newRow(), newRow()]

/**
 * Counts inserted, removed, replaced and swapped letters; above the limit, any number above it. Only the band around the
 * diagonal is computed: the whole matrix took 15 times as long for each misspelling in a file.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const far = limit + 1
  if (Math.abs(a.length - b.length) > limit || b.length > MAX_LENGTH) return far
  for (let j = 0; j <= b.length; j++) rows[1][j] = Math.min(j, far)
  for (let i = 1; i <= a.length; i++) {
    const [row, above, before] = rows
    const from = Math.max(1, i - limit)
    const to = Math.min(b.length, i + limit)
    row[from - 1] = from === 1 ? Math.min(i, far) : far
    let least = row[from - 1]!
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let steps = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1))
      const isSwap =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (isSwap) steps = Math.min(steps, before[j - 2]! + 1)
      row[j] = Math.min(steps, far)
      least = Math.min(least, row[j]!)
    }
    // The next row reads one cell further.
    row[to + 1] = far
    if (least > limit) return far
    rows = [before, row, above]
  }
  return rows[1][b.length]!
}

/** The letters of a key as a bit set, to skip words that have few letters in common. */
export function lettersOf(key: string): number {
  let letters = 0
  for (let i = 0; i < key.length; i++) letters |= 1 << (key.charCodeAt(i) - 97)
  return letters
}

export function bitsOf(set: number): number {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1
  return count
}
