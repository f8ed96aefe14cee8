// A body as bytes, at most so many of them.

/** Far more than the longest message has. */
export const MAX_BYTES = 1024 * 1024

const NOT_RAW =
  'verify needs the body as it was received, a string or bytes: parsed and serialised again, it no longer matches its signature. ' +
  "Pass await request.text(), or in Express the body of express.raw({ type: 'application/json' })."

/** Null if there are more than `maxBytes`. Throws if the body was parsed. */
export function bytesOf(body: unknown, maxBytes: number): Uint8Array | null {
  // A character has at least one byte.
  if (typeof body === 'string')
    return body.length > maxBytes ? null : capped(new TextEncoder().encode(body), maxBytes)
  if (body instanceof ArrayBuffer) return capped(new Uint8Array(body), maxBytes)
  // Not instanceof Uint8Array: test environments have more than one.
  if (!ArrayBuffer.isView(body)) throw new TypeError(NOT_RAW)
  return capped(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), maxBytes)
}

/** Null if there are more than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (request.bodyUsed)
    throw new TypeError('The body was read before. Pass the request to receive before any body parser.')
  if (Number(request.headers.get('content-length')) > maxBytes) {
    await request.body?.cancel()
    return null
  }
  return request.body === null ? new Uint8Array() : readStream(request.body, maxBytes)
}

/**
 * Reads at most a chunk more than `maxBytes`; null if there are more. One buffer holds the bytes: chunks of one byte each, kept in an
 * array, take 270 times as much memory.
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let bytes = new Uint8Array()
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes.subarray(0, length)
    const end = length + value.length
    if (end > maxBytes) break
    if (end > bytes.length) bytes = enlarged(bytes, Math.max(end, Math.min(2 * bytes.length, maxBytes)))
    bytes.set(value, length)
    length = end
  }
  await reader.cancel().catch(() => {})
  return null
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}

function capped(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  return bytes.length > maxBytes ? null : bytes
}
