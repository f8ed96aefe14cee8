// Turns single calls into batches, for peers whose handlers see one job at a time. Each call resolves with its batch.

export function createGather<T>(
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
      // One turn of the event loop gathers all that one fetch started; longer only added delay.
      setTimeout(send, 1)
    }
    batch.items.push(item)
    const { promise } = batch.done
    if (batch.items.length >= limit) send()
    return promise
  }
}
