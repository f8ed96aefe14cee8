// Verifies the signature and the age of a delivery. Reads no clock: the time is an argument.
import { decodeBase64 } from './base64.ts'
import { bytesOf, MAX_BYTES } from './body.ts'
import { importKey, signedContent } from './hmac.ts'
import { keysOf } from './secret.ts'
import { SIGNATURE_VERSION } from './signing.ts'

/** What Terce posts. Fields may be added in later versions. */
export type Message<Data = Readonly<Record<string, unknown>>> = {
  eventId: string
  type: string
  message: string
  userId: string
  /** The id of the person in your system; null if the person has none. */
  externalId: string | null
  /** Tells two occasions of one type apart. Also the `taskId` of a reminder. */
  occasionId: string
  occurrence: string
  targetTimestampUTC: string
  targetTimestampLocal: string
  timezone: string
  lateBySeconds: number
  /** The data of your occasion or task; null if it has none. */
  data: Data | null
}

export type SignedRequest = {
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** As it was received: the signature covers these bytes, and parsed and serialised again they differ. */
  body: string | Uint8Array | ArrayBuffer
  /** One of them must have signed it. */
  secrets: readonly string[]
  /** Epoch milliseconds. */
  now: number
  /** How far the sender's clock may be from ours, on either side. */
  toleranceSeconds?: number
  /** A longer body is rejected before its signature is computed. 1 MiB unless given. */
  maxBytes?: number
}

/** The status to respond with. 401 holds the channel; 425 is retried with a new timestamp, because a clock may be corrected. */
const STATUS = {
  MISSING_HEADER: 401,
  BAD_SIGNATURE: 401,
  STALE_TIMESTAMP: 425,
  BAD_BODY: 400,
  BODY_TOO_LARGE: 413,
} as const

export type RejectionCode = keyof typeof STATUS

export type Verification<T> =
  /** The key is the same for every delivery of one message. */
  | { kind: 'verified'; key: string; message: T }
  | { kind: 'rejected'; code: RejectionCode; reason: string; status: number }

/** A header can hold hundreds of signatures; a sender that changes its secret sends two. */
const MOST_SIGNATURES = 10

export async function verify<T = Message>(request: SignedRequest): Promise<Verification<T>> {
  const { headers, secrets, now, toleranceSeconds = 300, maxBytes = MAX_BYTES } = request
  requireWebCrypto()
  const keys = keysOf(secrets)
  const body = bytesOf(request.body, maxBytes)
  if (body === null) return tooLarge(maxBytes)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (id === null || timestamp === null || signatures === null)
    return rejected('MISSING_HEADER', 'webhook-id, webhook-timestamp and webhook-signature are needed.')
  if (!(await isSigned(keys, signatures, signedContent(id, timestamp, body))))
    return rejected(
      'BAD_SIGNATURE',
      'No signature matches. Compare the secrets, and verify the body as it came.',
    )
  // After the signature, which covers the time: a delivery rejected here was sent by the sender.
  const ageSeconds = Math.floor(now / 1000) - Number(timestamp)
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    return rejected(
      'STALE_TIMESTAMP',
      `Signed ${ageSeconds} s ago, ${toleranceSeconds} s are allowed. Compare the clocks.`,
    )
  const message = parse<T>(body)
  if (message === undefined) return rejected('BAD_BODY', 'The body is not JSON.')
  return { kind: 'verified', key: id, message }
}

/** Finds an old Node at once. It would fail with `crypto is not defined` at the first message. */
export function requireWebCrypto(): void {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error(
      'terce/receiver needs WebCrypto: Node 20 or later, a Worker, Deno, or a page that was served over https.',
    )
}

export function tooLarge(maxBytes: number): Verification<never> {
  return rejected('BODY_TOO_LARGE', `The body has more than ${maxBytes} bytes.`)
}

function headerOf(headers: SignedRequest['headers'], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  // Node has the names in lower case; other sources of a plain object do not.
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

async function isSigned(
  keys: readonly Uint8Array<ArrayBuffer>[],
  header: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const signatures = header.split(' ').slice(0, MOST_SIGNATURES).map(readSignature)
  for (const bytes of keys) {
    const key = await importKey(bytes, 'verify')
    for (const signature of signatures) {
      // In constant time, as the platform sees to.
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, content))) return true
    }
  }
  return false
}

/** `v1,` and base64. Versions to come stand beside it in the header and are passed over. */
function readSignature(text: string): Uint8Array<ArrayBuffer> | null {
  if (!text.startsWith(SIGNATURE_VERSION)) return null
  return decodeBase64(text.slice(SIGNATURE_VERSION.length))
}

function parse<T>(body: Uint8Array): T | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function rejected(code: RejectionCode, reason: string): Verification<never> {
  return { kind: 'rejected', code, reason, status: STATUS[code] }
}
