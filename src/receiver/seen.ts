// Remembers which messages were handled, so that one delivered twice is handled once.

/** A place shared by all who receive. `claim` must be one atomic step: of many callers at once, one gets the key. */
export type Seen = {
  /**
   * `claimed`: the caller handles it, nobody else.
   * `busy`: another caller is at it. A claim that was neither kept nor released for longer than handling can take (its
   * process died) is given to the next who asks.
   * `handled`: it is done.
   */
  claim(key: string): Claimed | Promise<Claimed>
  /** The message was handled: for ever, or as long as it may be sent again. */
  keep(key: string): unknown
  /** The message was not handled: the next delivery may claim it. */
  release(key: string): unknown
}

export type Claimed = 'claimed' | 'busy' | 'handled'

/** For one process, and only as long as it runs: fit for trying things out. */
export function seenInMemory({ capacity }: { capacity: number }): Seen {
  const states = new Map<string, 'busy' | 'handled'>()
  return {
    claim(key) {
      const state = states.get(key)
      if (state !== undefined) return state
      states.set(key, 'busy')
      return 'claimed'
    },
    keep(key) {
      // Move to the end, so that the least recently used key is evicted first.
      states.delete(key)
      states.set(key, 'handled')
      for (const [oldest, state] of states) {
        if (states.size <= capacity) return
        if (state === 'handled') states.delete(oldest)
      }
    },
    release: (key) => states.delete(key),
  }
}
