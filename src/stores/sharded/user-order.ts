// Compares the places of users in the orders of a list, as the databases of the shards do.
import { parsePlace, type UserPlace, type UserSort } from '../../domain/users/user-list.ts'

export function placeIn(text: string): UserPlace {
  const place = parsePlace(text)
  if (place === null) throw new Error('A shard returned a place that cannot be read.')
  return place
}

export function comparePlaces(sort: UserSort): (a: UserPlace, b: UserPlace) => number {
  const sign = sort.startsWith('-') ? -1 : 1
  return (a, b) => sign * (compareKeys(a, b) || compareText(a.id, b.id))
}

function compareKeys(a: UserPlace, b: UserPlace): number {
  if (a.by === 'name' && b.by === 'name') return compareText(a.name, b.name)
  if (a.by !== 'dueAt' || b.by !== 'dueAt') return 0
  // People without a message to come are the last ones.
  const [first, second] = [a.dueAt ?? Number.MAX_VALUE, b.dueAt ?? Number.MAX_VALUE]
  return first - second
}

/** By code points, which is the order of UTF-8 and of SQLite; `<` compares UTF-16, where 😀 comes before ﬁ. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const [first, second] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (first !== second) return rank(first) - rank(second)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}
