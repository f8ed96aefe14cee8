// The destination of an attempt and the response to it, as they are stored with the attempt. Bounded, and without credentials.

/**
 * Whose responses are stored: of all attempts, of failed attempts, or of none. `failures` is the default: its cost is not
 * measurable, and `all` takes 7 % more CPU in Node and 100 bytes of WAL or more for each delivered message.
 */
export const KEEP_RESPONSES = ['all', 'failures', 'none'] as const
export type KeepResponses = (typeof KEEP_RESPONSES)[number]

export type ReceivedResponse = {
  /** Empty for SMTP. */
  headers: Readonly<Record<string, string>>
  /** The body of an HTTP response or the last SMTP reply, up to 4 kB. */
  body: string
  /** True if the body was longer. */
  shortened: boolean
}

export type Exchange = {
  /** The URL without its query, or `smtp://host:port`; null for an attempt that had no destination. */
  destination: string | null
  /** Null if none arrived. */
  response: ReceivedResponse | null
}

export function isKept(keep: KeepResponses, isDelivered: boolean): boolean {
  return keep === 'all' || (keep === 'failures' && !isDelivered)
}

const BODY_MAX_BYTES = 4_096
const HEADERS_MAX_CHARACTERS = 2_048

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** `bytes` may be the start of a longer body. */
export function responseFrom(headers: HeaderValues, bytes: Uint8Array): ReceivedResponse {
  const shortened = bytes.length > BODY_MAX_BYTES
  const body = decoder.decode(shortened ? bytes.subarray(0, cutBefore(bytes)) : bytes)
  return { headers: keptHeaders(headers), body, shortened }
}

export function responseFromText(headers: HeaderValues, text: string): ReceivedResponse {
  return responseFrom(headers, encoder.encode(text))
}

/** How many bytes of a body decide its stored form: one more than are stored. */
export const BODY_READ_BYTES = BODY_MAX_BYTES + 1

/** Does not cut a character of several bytes in two. */
function cutBefore(bytes: Uint8Array): number {
  let end = BODY_MAX_BYTES
  while (end > BODY_MAX_BYTES - 3 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return end
}

type HeaderValues = Iterable<readonly [name: string, value: string | string[] | undefined]>

/** Headers of the connection, which explain nothing, and headers that can be a credential. */
const DROPPED =
  /^(?:connection|keep-alive|transfer-encoding|date)$|cookie|auth|token|secret|session|password|signature|key/i

/** A URL in a value, such as that of Location, loses its user, password, query and fragment. */
function withoutCredentials(value: string): string {
  return value.replaceAll(/(?<=\/\/)[^\s/?#@]*@/g, '').replaceAll(/[?#][^\s"'<>,;]+/g, '')
}

function keptHeaders(headers: HeaderValues): Record<string, string> {
  const kept: Record<string, string> = {}
  let left = HEADERS_MAX_CHARACTERS
  for (const [name, value] of headers) {
    if (value === undefined || DROPPED.test(name)) continue
    const text = withoutCredentials(Array.isArray(value) ? value.join(', ') : value)
    left -= name.length + text.length
    if (left < 0) break
    kept[name] = text
  }
  return kept
}
