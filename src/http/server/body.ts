// Reads request bodies: bounded, UTF-8, JSON. Never holds more than the limit and never repeats the content.

import { invalidInput, Problem } from '../../api/problem.ts'
import { readStream } from '../../receiver/body.ts'

export const BODY_LIMIT = 64 * 1024
export const BULK_BODY_LIMIT = 1024 * 1024

/** The text of a JSON body, not yet parsed: an idempotency key stands for the bytes that were sent. */
export async function readJsonText(request: Request, limit: number): Promise<string> {
  requireJson(request)
  return decoded(await readBytes(request, limit))
}

/** A body that is left out is an empty object, also with a Content-Type, which some clients always send. */
export async function readOptionalJsonText(request: Request, limit: number): Promise<string> {
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return '{}'
  requireJson(request)
  return decoded(bytes)
}

function requireJson(request: Request): void {
  const type = request.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    const found = type ? `The content type is ${type.slice(0, 60)}.` : 'The Content-Type is missing.'
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `${found} Send it with Content-Type: application/json.`)
  }
  if ((request.headers.get('Content-Encoding') ?? 'identity') !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body is compressed. Send it uncompressed.')
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('MALFORMED_JSON', 'The body is not valid UTF-8.')
  }
}

/** Rejects a member `__proto__`, which the schemas would drop without a word. */
export function parseJson(text: string): unknown {
  let hasProto = false
  const look = (key: string, value: unknown) => {
    hasProto ||= key === '__proto__'
    return value
  }
  let value: unknown
  try {
    value = JSON.parse(text, MAY_HAVE_PROTO.test(text) ? look : undefined)
  } catch (error) {
    throw new Problem('MALFORMED_JSON', `The body cannot be parsed as JSON${placeOf(error as Error, text)}.`)
  }
  const message = 'No field may be named __proto__. Use another name.'
  if (hasProto) throw invalidInput([{ field: '__proto__', code: 'UNKNOWN_FIELD', message }])
  return value
}

/** Where parsing failed. The message of the error may repeat the content. */
function placeOf({ message }: Error, text: string): string {
  if (message.includes('end of JSON')) return ': it ends too early'
  const at = /at position (\d+)/.exec(message)?.[1]
  if (at === undefined) return ''
  const before = text.slice(0, Number(at)).split('\n')
  return `: see line ${before.length}, column ${before.at(-1)!.length + 1}`
}

const MAY_HAVE_PROTO = /proto|\\u/i

/** Counts the bytes that arrive, regardless of Content-Length, and stops at the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = new Problem('BODY_TOO_LARGE', `The body may have at most ${limit} bytes.`)
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) throw tooLarge
  if (request.body === null) return new Uint8Array()
  const bytes = await readStream(request.body, limit).catch(() => {
    throw new Problem('INCOMPLETE_BODY', 'The body was cut off. Send it again.')
  })
  if (bytes === null) throw tooLarge
  return bytes
}
