// Combines single calls into batches, for peers whose handlers receive one job at a time. A call resolves with its batch.

export function createBatcher<T>(
  limit: number,
  flush: (batch: T[]) => Promise<unknown>,
): (item: T) => Promise<void> {
  let batch: { items: T[]; done: PromiseWithResolvers<void> } | null = null

  function send(): void {
    if (batch === null) return
    const { items, done } = batch
    batch = null
    flush(items).then(() => done.resolve(), done.reject)
  }

  return (item) => {
    if (batch === null) {
      batch = { items: [], done: Promise.withResolvers<void>() }
      // 1 ms is enough to collect all jobs of one fetch; a longer linger only added delay.
      setTimeout(send, 1)
    }
    batch.items.push(item)
    const { promise } = batch.done
    if (batch.items.length >= limit) send()
    return promise
  }
}
