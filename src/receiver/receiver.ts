// A ready-made webhook receiver: verifies, handles each message once, and responds so that nothing is lost.
// Runs wherever there are Request, Response and WebCrypto; imports nothing.
import { MAX_BYTES, readBody } from './body.ts'
import { keysOf } from './secret.ts'
import type { Seen } from './seen.ts'
import { type Message, requireWebCrypto, tooLarge, verify } from './verify.ts'

export { type Claimed, type Seen, seenInMemory } from './seen.ts'
export { type Delivery, sign } from './sign.ts'
export { type Message, type RejectionCode, type SignedRequest, type Verification, verify } from './verify.ts'

export type Receiver<T> = {
  secrets: readonly string[]
  /** Null if `handle` stores the key in the transaction of its effect, which is the safest choice. */
  seen: Seen | null
  /** Its error is rethrown after the key is released: frameworks respond with 500, and the message is retried. */
  handle(message: T, key: string): unknown
  toleranceSeconds?: number
  /** A longer body is rejected unread. 1 MiB unless given. */
  maxBytes?: number
  now?: () => number
}

export function receive<T = Message>(receiver: Receiver<T>): (request: Request) => Promise<Response> {
  const { secrets, seen, handle, now = Date.now, maxBytes = MAX_BYTES, ...options } = receiver
  // Finds an old runtime or an invalid secret when the server starts, not when the first message is rejected.
  requireWebCrypto()
  if (typeof globalThis.Request !== 'function')
    throw new Error('receive needs Request and Response: Node 20 or later, a Worker or Deno.')
  keysOf(secrets)
  return async (request) => {
    const { headers } = request
    const body = await readBody(request, maxBytes)
    const verified =
      body === null
        ? tooLarge(maxBytes)
        : await verify<T>({ headers, body, secrets, now: now(), maxBytes, ...options })
    if (verified.kind === 'rejected') {
      const { code, reason, status } = verified
      return Response.json({ code, reason }, { status })
    }
    const { key, message } = verified
    if (seen === null) {
      await handle(message, key)
      return new Response(null, { status: 204 })
    }
    return handleOnce(seen, key, () => handle(message, key))
  }
}

async function handleOnce(seen: Seen, key: string, handle: () => unknown): Promise<Response> {
  switch (await seen.claim(key)) {
    case 'handled':
      return new Response(null, { status: 204 })
    case 'busy':
      // Not 204: if the other request fails, this delivery must be retried.
      return new Response(null, { status: 425, headers: { 'retry-after': '5' } })
    case 'claimed':
      try {
        await handle()
      } catch (error) {
        await seen.release(key)
        throw error
      }
      await seen.keep(key)
      return new Response(null, { status: 204 })
  }
}
