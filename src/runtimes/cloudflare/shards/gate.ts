// Lets calls pass, until one piece of work needs the object for itself.

export type Gate = {
  /** Runs the call as soon as no exclusive work does. */
  pass<T>(call: () => Promise<T>): Promise<T>
  /** Waits for the calls that run, and makes others wait. */
  close<T>(work: () => Promise<T>): Promise<T>
}

export function createGate(): Gate {
  const running = new Set<Promise<unknown>>()
  let closed: Promise<unknown> | null = null
  return {
    async pass(call) {
      while (closed !== null) await closed
      const promise = call()
      const ended = settled(promise)
      running.add(ended)
      void ended.then(() => running.delete(ended))
      return promise
    },
    async close(work) {
      while (closed !== null) await closed
      const promise = Promise.all(running).then(work)
      closed = settled(promise).then(() => {
        closed = null
      })
      return promise
    },
  }
}

function settled(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => {},
    () => {},
  )
}
