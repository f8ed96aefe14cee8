// Reads request bodies: bounded, UTF-8, JSON. Never holds more than the limit and never says what was in one.
import { Problem } from './problem.ts'

export const BODY_LIMIT = 64 * 1024
export const BULK_BODY_LIMIT = 1024 * 1024

/** The text of a JSON body, not yet parsed: an idempotency key stands for the bytes that were sent. */
export async function readJsonText(request: Request, limit: number): Promise<string | Problem> {
  const type = request.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    const found = type ? `It came as ${type.slice(0, 60)}.` : 'It came without a Content-Type.'
    return new Problem('UNSUPPORTED_MEDIA_TYPE', `${found} Send it with Content-Type: application/json.`)
  }
  if ((request.headers.get('Content-Encoding') ?? 'identity') !== 'identity') {
    return new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body is compressed. Send it as it is.')
  }
  const bytes = await readBytes(request, limit)
  if (bytes instanceof Problem) return bytes
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new Problem('MALFORMED_JSON', 'The body is not valid UTF-8.')
  }
}

export function parseJson(text: string): { json: unknown } | Problem {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return new Problem('MALFORMED_JSON', 'The body cannot be parsed as JSON.')
  }
}

export async function readJson(request: Request): Promise<{ json: unknown } | Problem> {
  const text = await readJsonText(request, BODY_LIMIT)
  return text instanceof Problem ? text : parseJson(text)
}

/** The same where a body may be left out: then it is an empty object. */
export async function readOptionalJson(request: Request): Promise<{ json: unknown } | Problem> {
  if (request.body === null || request.headers.get('Content-Length') === '0') return { json: {} }
  if (request.headers.has('Content-Type')) return readJson(request)
  // Nothing says that there is one: only reading it tells.
  const bytes = await readBytes(request, BODY_LIMIT)
  if (bytes instanceof Problem) return bytes
  return bytes.length === 0 ? { json: {} } : readJson(request)
}

/** Counts what arrives, whatever Content-Length promised, and hangs up at the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array | Problem> {
  const tooLarge = new Problem('BODY_TOO_LARGE', `The body may have at most ${limit} bytes.`)
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) return tooLarge
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return joined(chunks, length)
      length += value.byteLength
      if (length > limit) break
      chunks.push(value)
    }
  } catch {
    return new Problem('INCOMPLETE_BODY', 'The body broke off before its end. Send it again.')
  }
  await reader.cancel().catch(() => {})
  return tooLarge
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
