import { describe, expect, it, vi } from 'vitest'
import { type Message, receive, type Seen, seenInMemory } from '../../src/receiver/receiver.ts'
import { KEY, NOW, OTHER_SECRET, requestOf, SECRET, signed } from './support/signed.ts'

const now = () => NOW

/** A receiver whose handler waits until the test lets it succeed or fail. */
function startReceiver(seen: Seen | null = seenInMemory({ capacity: 100 })) {
  const handled: string[] = []
  const gates: { open(): void; fail(error: Error): void }[] = []
  const receiver = receive({
    secrets: [SECRET],
    seen,
    now,
    handle: async (message: Message, key) => {
      await new Promise<void>((open, fail) => gates.push({ open, fail }))
      handled.push(`${key} ${message.message}`)
    },
  })
  return { handled, gates, post: (delivery = signed()) => receiver(requestOf(delivery)) }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}

describe('the receiver', () => {
  it('handles a message once and responds with 204 to every copy', async () => {
    const { post, gates, handled } = startReceiver()
    const first = post()
    await until(() => gates.length === 1)
    gates[0]!.open()
    expect((await first).status).toBe(204)
    expect((await post(signed({ at: NOW + 60_000 }))).status).toBe(204)
    expect(handled).toEqual([`${KEY} Grüße 🎂`])
  })

  it('handles one of two concurrent copies, and responds to the other with 425', async () => {
    const { post, gates, handled } = startReceiver()
    const both = [post(), post()]
    await until(() => gates.length === 1)
    await settled()
    expect(gates).toHaveLength(1)
    gates[0]!.open()
    const responses = await Promise.all(both)
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 425])
    expect(responses.find(({ status }) => status === 425)!.headers.get('retry-after')).toBe('5')
    expect(handled).toHaveLength(1)
  })

  it('releases the key when handling fails, so that the next delivery is handled', async () => {
    const { post, gates, handled } = startReceiver()
    const first = post()
    await until(() => gates.length === 1)
    gates[0]!.fail(new Error('the disk is full'))
    await expect(first).rejects.toThrow('the disk is full')
    const second = post()
    await until(() => gates.length === 2)
    gates[1]!.open()
    expect((await second).status).toBe(204)
    expect(handled).toHaveLength(1)
  })

  it('confirms a message only after its key is stored', async () => {
    const storing: (() => void)[] = []
    const slow: Seen = {
      ...seenInMemory({ capacity: 100 }),
      keep: () => new Promise<void>((stored) => storing.push(stored)),
    }
    const { post, gates } = startReceiver(slow)
    let confirmed = false
    const first = post().finally(() => {
      confirmed = true
    })
    await until(() => gates.length === 1)
    gates[0]!.open()
    await until(() => storing.length === 1)
    await settled()
    expect(confirmed).toBe(false)
    storing[0]!()
    expect((await first).status).toBe(204)
  })

  it('does not confirm a message whose key cannot be stored', async () => {
    const failing: Seen = {
      ...seenInMemory({ capacity: 100 }),
      keep: () => Promise.reject(new Error('the disk is full')),
    }
    const { post, gates } = startReceiver(failing)
    const first = post()
    await until(() => gates.length === 1)
    gates[0]!.open()
    await expect(first).rejects.toThrow('the disk is full')
  })

  it('reports the failure of the handler only after the key is released', async () => {
    const memory = seenInMemory({ capacity: 100 })
    const releasing: (() => void)[] = []
    const slow: Seen = {
      ...memory,
      release: async (key) => {
        await new Promise<void>((released) => releasing.push(released))
        memory.release(key)
      },
    }
    const { post, gates } = startReceiver(slow)
    const first = post()
    let failed = false
    first.catch(() => {
      failed = true
    })
    await until(() => gates.length === 1)
    gates[0]!.fail(new Error('the disk is full'))
    await until(() => releasing.length === 1)
    await settled()
    expect(failed).toBe(false)
    releasing[0]!()
    await expect(first).rejects.toThrow('the disk is full')
    expect(memory.claim(KEY)).toBe('claimed')
  })

  it('does not confirm a copy of a message whose handler fails afterwards', async () => {
    const { post, gates } = startReceiver()
    const first = post()
    await until(() => gates.length === 1)
    const copy = await post()
    gates[0]!.fail(new Error('the disk is full'))
    await expect(first).rejects.toThrow()
    expect(copy.status).toBe(425)
  })

  it('passes every copy to a handler that stores the keys itself', async () => {
    const { post, gates, handled } = startReceiver(null)
    const both = [post(), post()]
    await until(() => gates.length === 2)
    for (const gate of gates) gate.open()
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([204, 204])
    expect(handled).toHaveLength(2)
  })

  it.each([
    ['no signature', { ...signed(), headers: {} }, 401, 'MISSING_HEADER'],
    ['a signature with another secret', signed({ secrets: [OTHER_SECRET] }), 401, 'BAD_SIGNATURE'],
    ['a signature from yesterday', signed({ at: NOW - 86_400_000 }), 425, 'STALE_TIMESTAMP'],
    ['a body that is not JSON', signed({ body: 'hello' }), 400, 'BAD_BODY'],
  ])('rejects %s and does not call the handler', async (_, delivery, status, code) => {
    const { post, gates } = startReceiver()
    const response = await post(delivery)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, reason: expect.stringMatching(/\.$/) })
    expect(gates).toEqual([])
  })

  it('reads no more than maxBytes of a body, whether its length is announced or not', async () => {
    const { headers } = signed()
    let pulled = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(64 * 1024))
        },
      })
    const receiver = receive({ secrets: [SECRET], seen: null, now, handle: () => {} })
    const post = (more: Record<string, string>) => {
      const init = { method: 'POST', headers: { ...headers, ...more }, body: endless(), duplex: 'half' }
      return receiver(new Request('https://receiver.example/hook', init as RequestInit))
    }
    const trickled = await post({})
    expect(trickled.status).toBe(413)
    expect(await trickled.json()).toMatchObject({ code: 'BODY_TOO_LARGE' })
    expect(pulled).toBeLessThan(20)
    pulled = 0
    expect((await post({ 'content-length': '2000000' })).status).toBe(413)
    expect(pulled).toBeLessThanOrEqual(1)
    const small = receive({ secrets: [SECRET], seen: null, now, handle: () => {}, maxBytes: 10 })
    expect((await small(requestOf(signed()))).status).toBe(413)
  })

  it('throws a clear error if the body was read before', async () => {
    const request = requestOf(signed())
    await request.json()
    const receiver = receive({ secrets: [SECRET], seen: null, now, handle: () => {} })
    await expect(receiver(request)).rejects.toThrow('The body was read before')
  })

  it('throws at setup in a runtime without WebCrypto or Request', () => {
    for (const name of ['crypto', 'Request']) {
      vi.stubGlobal(name, undefined)
      try {
        expect(() => receive({ secrets: [SECRET], seen: null, handle: () => {} })).toThrow('Node 20 or later')
      } finally {
        vi.unstubAllGlobals()
      }
    }
  })

  it('throws at setup if a secret is invalid or missing', () => {
    const missing = [process.env.TERCE_NO_SUCH_SECRET as string]
    expect(() => receive({ secrets: missing, seen: null, handle: () => {} })).toThrow(/secret 1 is missing/)
    expect(() => receive({ secrets: ['hunter2'], seen: null, handle: () => {} })).toThrow(/not usable/)
    expect(() => receive({ secrets: [], seen: null, handle: () => {} })).toThrow(/no webhook secret/)
  })

  it('uses the system clock by default', async () => {
    const receiver = receive({ secrets: [SECRET], seen: null, handle: () => {} })
    expect((await receiver(requestOf(signed({ at: Date.now() })))).status).toBe(204)
    expect((await receiver(requestOf(signed({ at: Date.now() - 600_000 })))).status).toBe(425)
  })
})

describe('seenInMemory', () => {
  it('drops the oldest handled keys, and no key that is being handled', async () => {
    const seen = seenInMemory({ capacity: 2 })
    for (const key of ['busy', 'a', 'b']) seen.claim(key)
    seen.keep('a')
    seen.keep('b')
    expect(seen.claim('busy')).toBe('busy')
    expect(seen.claim('b')).toBe('handled')
    expect(seen.claim('a')).toBe('claimed')
  })
})
