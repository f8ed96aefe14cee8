// Signs a body as Terce does, for tests of a receiver. Reads no clock: the time is an argument.
import { encodeBase64 } from './base64.ts'
import { bytesOf } from './body.ts'
import { importKey, signedContent } from './hmac.ts'
import { keysOf } from './secret.ts'
import { deliveryHeaders, SIGNATURE_VERSION } from './signing.ts'

export type Delivery = {
  /** The key of the message; equal for every attempt. */
  id: string
  /** Seconds since 1970, such as `Date.now() / 1000`. A fraction is cut off. */
  timestamp: number
}

/** The headers of the request that delivers the body. `secret`: one, or several as during a rotation. */
export async function sign(
  body: string | Uint8Array,
  secret: string | readonly string[],
  { id, timestamp }: Delivery,
): Promise<Record<string, string>> {
  const seconds = Math.floor(timestamp)
  const content = signedContent(id, seconds, bytesOf(body, Number.POSITIVE_INFINITY)!)
  const signatures: string[] = []
  for (const bytes of keysOf(typeof secret === 'string' ? [secret] : secret)) {
    const signature = await crypto.subtle.sign('HMAC', await importKey(bytes, 'sign'), content)
    signatures.push(SIGNATURE_VERSION + encodeBase64(new Uint8Array(signature)))
  }
  return { ...deliveryHeaders(id, seconds), 'webhook-signature': signatures.join(' ') }
}
