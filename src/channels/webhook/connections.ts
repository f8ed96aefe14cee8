// The connections of one webhook: a stack of clients of undici with one connection each. The pool of undici searches all of them for
// a free one at each request, and passes each request through two more dispatchers.
import type { Client } from 'undici'

export type Connections = {
  /** Calls `send` with a free connection, at once or when one is released. It returns false if it needs none any more. */
  lend(send: (client: Client) => boolean): void
  /** `isReusable`: false if the request failed or was aborted. The connection is closed then. */
  release(client: Client, isReusable: boolean): void
  /** Resolves when the last request has ended and every connection is closed. */
  close(): Promise<void>
}

export function createConnections(open: () => Client, most: number): Connections {
  const all = new Set<Client>()
  /** The last one first: it was used last, and the server keeps it open for the longest time. */
  const free: Client[] = []
  const waiting: ((client: Client) => boolean)[] = []
  let closing: Promise<void> | null = null
  let onFree = () => {}

  function add(): Client {
    const client = open()
    all.add(client)
    client.on('disconnect', () => {
      const index = free.indexOf(client)
      if (index === -1) return
      free.splice(index, 1)
      remove(client)
    })
    return client
  }

  function remove(client: Client): void {
    all.delete(client)
    void client.destroy()
  }

  async function closeAll(): Promise<void> {
    if (free.length < all.size) await new Promise<void>((resolve) => (onFree = resolve))
    await Promise.all([...all].map((client) => client.close()))
  }

  return {
    lend(send) {
      if (closing !== null) throw new Error('The channel is closed.')
      const client = free.pop() ?? (all.size < most ? add() : null)
      if (client === null) waiting.push(send)
      else if (!send(client)) free.push(client)
    },

    release(client, isReusable) {
      if (!isReusable) remove(client)
      let lent = isReusable ? client : null
      for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) {
        lent ??= add()
        if (send(lent)) return
      }
      if (lent !== null) free.push(lent)
      if (free.length === all.size) onFree()
    },

    close() {
      closing ??= closeAll()
      return closing
    },
  }
}
