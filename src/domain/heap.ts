// A queue that gives out the least first: by number, and among equals in the order they came.

type Heap<T> = {
  push(key: number, value: T): void
  /** The least key; Infinity if there is none. */
  leastKey(): number
  /** Takes out what has the least key. */
  pop(): T | undefined
}

type Entry<T> = { key: number; order: number; value: T }

export function createHeap<T>(): Heap<T> {
  const entries: Entry<T>[] = []
  let pushed = 0

  function push(key: number, value: T): void {
    const entry = { key, order: pushed++, value }
    let at = entries.length
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (!comesBefore(entry, entries[parent]!)) break
      entries[at] = entries[parent]!
      at = parent
    }
    entries[at] = entry
  }

  function pop(): T | undefined {
    const first = entries[0]
    const last = entries.pop()
    if (first === undefined || last === undefined) return undefined
    if (entries.length > 0) sink(last)
    return first.value
  }

  /** Puts an entry where the first was, and then as far down as it belongs. */
  function sink(entry: Entry<T>): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= entries.length) break
      const right = child + 1
      if (right < entries.length && comesBefore(entries[right]!, entries[child]!)) child = right
      if (!comesBefore(entries[child]!, entry)) break
      entries[at] = entries[child]!
      at = child
    }
    entries[at] = entry
  }

  return { push, leastKey: () => entries[0]?.key ?? Number.POSITIVE_INFINITY, pop }
}

function comesBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.key === b.key ? a.order < b.order : a.key < b.key
}
