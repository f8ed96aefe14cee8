// Splits the PostgreSQL protocol into messages, as far as needed to find a COMMIT.

const SIMPLE_QUERY = 'Q'.charCodeAt(0)
const PARSE = 'P'.charCodeAt(0)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)

/**
 * Splits a stream into messages: a type byte, a length that includes itself, the payload. A client's first message has no
 * type byte. The messages concatenate to the stream.
 */
export function splitMessages(from: 'client' | 'server'): (data: Buffer) => Buffer[] {
  let pending: Buffer = Buffer.alloc(0)
  let started = from === 'server'
  return (data) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data])
    const messages: Buffer[] = []
    for (;;) {
      const head = started ? 1 : 0
      if (pending.length < head + 4) return messages
      const end = head + pending.readInt32BE(head)
      if (pending.length < end) return messages
      messages.push(pending.subarray(0, end))
      pending = pending.subarray(end)
      started = true
    }
  }
}

/** A simple query, or a prepared statement, that commits. */
export function isCommit(message: Buffer): boolean {
  if (message[0] === SIMPLE_QUERY) return asksToCommit(message, 5)
  // The name of the statement comes before its text.
  if (message[0] === PARSE) return asksToCommit(message, message.indexOf(0, 5) + 1)
  return false
}

function asksToCommit(message: Buffer, from: number): boolean {
  return /^\s*(commit|end)\b/i.test(message.toString('latin1', from, from + 16))
}

/** The server is ready for the next query. */
export function isReady(message: Buffer): boolean {
  return message[0] === READY_FOR_QUERY
}
