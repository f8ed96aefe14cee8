// How much of a response is read, and what is left of one that breaks off.
import { describe, expect, it } from 'vitest'
import { discard, readStart } from '../../../src/channels/dial/response-text.ts'

const CHUNK = new TextEncoder().encode('x'.repeat(16 * 1024))

/** A response whose body never ends, and the number of bytes that were read of it. */
function endless(headers: Record<string, string>) {
  const state = { read: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      state.read += CHUNK.length
      controller.enqueue(CHUNK)
    },
    cancel() {
      state.isCancelled = true
    },
  })
  return { state, response: new Response(body, { headers }) }
}

/** A response whose connection breaks after the first bytes. */
function broken(headers: Record<string, string>): Response {
  let isFirst = true
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (isFirst) controller.enqueue(new TextEncoder().encode('Oops'))
      else controller.error(new Error('reset'))
      isFirst = false
    },
  })
  return new Response(body, { headers })
}

describe('discard', () => {
  it('reads a short response to its end', async () => {
    const response = new Response('ok', { headers: { 'content-length': '2' } })
    await discard(response)
    expect(response.bodyUsed).toBe(true)
  })

  it.each([
    ['has no length', {}],
    ['is too long', { 'content-length': '1000000000' }],
    ['is short while it is compressed', { 'content-length': '100', 'content-encoding': 'gzip' }],
  ])('cuts off a response that %s', async (_, headers) => {
    const { state, response } = endless(headers as Record<string, string>)
    await discard(response)
    expect(state.isCancelled).toBe(true)
    expect(state.read).toBeLessThan(200_000)
  })

  it('resolves when the connection breaks', async () => {
    await expect(discard(broken({ 'content-length': '100' }))).resolves.toBeUndefined()
    await expect(discard(broken({}))).resolves.toBeUndefined()
  })
})

describe('readStart', () => {
  it('returns what arrived before the connection broke', async () => {
    expect(await readStart(broken({ 'content-length': '100' }))).toBe('Oops')
  })
})
