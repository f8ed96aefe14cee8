// The body of a delivery as bytes, at most so many of them.

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

/** Reads at most a chunk more than `maxBytes`; null if there are more. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (request.bodyUsed)
    throw new TypeError('The body was read before. Pass the request to receive before any body parser.')
  if (Number(request.headers.get('content-length')) > maxBytes) {
    await request.body?.cancel()
    return null
  }
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    length += read.value.length
    if (length > maxBytes) {
      await reader?.cancel()
      return null
    }
    chunks.push(read.value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function capped(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  return bytes.length > maxBytes ? null : bytes
}
