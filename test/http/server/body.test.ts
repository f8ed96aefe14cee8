// Request bodies in many small chunks: memory is bounded by the limit of the body, not by the number of its chunks.
import { describe, expect, it } from 'vitest'
import { readBytes } from '../../../src/http/server/body.ts'
import { readBody } from '../../../src/receiver/body.ts'
import { heapUsed } from '../../support/heap.ts'

/** A request whose body is sent chunk by chunk, as fast as it is read. */
const streamed = (chunks: Iterator<Uint8Array>) =>
  new Request('http://localhost/', {
    method: 'POST',
    duplex: 'half',
    body: new ReadableStream({
      pull(controller) {
        const { done, value } = chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    }),
  } as RequestInit)

function* chunksOf(length: number, size: number): Generator<Uint8Array> {
  for (let at = 0; at < length; at += size)
    yield Uint8Array.from({ length: Math.min(size, length - at) }, (_, i) => at + i)
}

describe('reading a body', () => {
  it.each([
    ['the API', readBytes],
    ['a receiver', readBody],
  ])('of %s in 60,000 chunks of one byte retains less than 5 MB', async (_, readAll) => {
    const before = heapUsed()
    const retained = Promise.withResolvers<number>()
    function* chunks() {
      yield* chunksOf(60_000, 1)
      retained.resolve(heapUsed() - before)
    }
    const read = readAll(streamed(chunks()), 64 * 1024)
    expect(await retained.promise).toBeLessThan(5_000_000)
    expect(await read).toHaveLength(60_000)
  })

  it.each([
    [0, 1],
    [1, 1],
    [999, 1],
    [1_000, 1],
    [1_000, 7],
    [1_000, 600],
    [1_000, 1_000],
  ])(
    'of %d bytes in chunks of %d, with a limit of 1,000, returns all bytes in order',
    async (length, size) => {
      const bytes = await readBytes(streamed(chunksOf(length, size)), 1_000)
      expect(bytes).toEqual(Uint8Array.from({ length }, (_, i) => i))
    },
  )

  it.each([1, 7, 600, 5_000])('of 5,000 bytes in chunks of %d stops after a limit of 1,000', async (size) => {
    const unread = chunksOf(5_000, size)
    await expect(readBytes(streamed(unread), 1_000)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
    // The stream asks for one chunk in advance.
    const asked = 5_000 - [...unread].reduce((sum, chunk) => sum + chunk.length, 0)
    expect(asked).toBeLessThanOrEqual(1_000 + 2 * size)
  })
})
