import { describe, expect, it } from 'vitest'
import { type Message, receive, type Seen, seenInMemory } from '../../src/receiver/receiver.ts'
import { KEY, NOW, OTHER_SECRET, requestOf, SECRET, signed } from './support/signed.ts'

const now = () => NOW

/** A receiver whose handling the test lets go on, or fail. */
function stage(seen: Seen | null = seenInMemory({ capacity: 100 })) {
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

describe('receiving', () => {
  it('handles a message once and says yes to every copy of it', async () => {
    const { post, gates, handled } = stage()
    const first = post()
    await until(() => gates.length === 1)
    gates[0]!.open()
    expect((await first).status).toBe(204)
    expect((await post(signed({ at: NOW + 60_000 }))).status).toBe(204)
    expect(handled).toEqual([`${KEY} Grüße 🎂`])
  })

  it('handles once of two at once, and asks the other to come again', async () => {
    const { post, gates, handled } = stage()
    const both = [post(), post()]
    await until(() => gates.length === 1)
    await settled()
    expect(gates).toHaveLength(1)
    gates[0]!.open()
    const answers = await Promise.all(both)
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 425])
    expect(answers.find(({ status }) => status === 425)!.headers.get('retry-after')).toBe('5')
    expect(handled).toHaveLength(1)
  })

  it('releases the key when handling fails, so that the next delivery is handled', async () => {
    const { post, gates, handled } = stage()
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

  it('never says yes to a copy of a message whose handling then fails', async () => {
    const { post, gates } = stage()
    const first = post()
    await until(() => gates.length === 1)
    const copy = await post()
    gates[0]!.fail(new Error('the disk is full'))
    await expect(first).rejects.toThrow()
    expect(copy.status).toBe(425)
  })

  it('leaves it to the handler where that stores the key itself', async () => {
    const { post, gates, handled } = stage(null)
    const both = [post(), post()]
    await until(() => gates.length === 2)
    for (const gate of gates) gate.open()
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([204, 204])
    expect(handled).toHaveLength(2)
  })

  it.each([
    ['no signature', { ...signed(), headers: {} }, 401, 'MISSING_HEADER'],
    ['the signature of a stranger', signed({ secrets: [OTHER_SECRET] }), 401, 'BAD_SIGNATURE'],
    ['a signature of yesterday', signed({ at: NOW - 86_400_000 }), 425, 'STALE_TIMESTAMP'],
    ['a body that is not JSON', signed({ body: 'hello' }), 400, 'BAD_BODY'],
  ])('refuses %s and handles nothing', async (_, delivery, status, code) => {
    const { post, gates } = stage()
    const answer = await post(delivery)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ code, reason: expect.stringMatching(/\.$/) })
    expect(gates).toEqual([])
  })

  it('is not set up with a secret that is none', () => {
    expect(() => receive({ secrets: ['hunter2'], seen: null, handle: () => {} })).toThrow(/not usable/)
    expect(() => receive({ secrets: [], seen: null, handle: () => {} })).toThrow(/no webhook secret/)
  })

  it('goes by the clock of the machine unless it is given another', async () => {
    const receiver = receive({ secrets: [SECRET], seen: null, handle: () => {} })
    expect((await receiver(requestOf(signed({ at: Date.now() })))).status).toBe(204)
    expect((await receiver(requestOf(signed({ at: Date.now() - 600_000 })))).status).toBe(425)
  })
})

describe('a memory of keys', () => {
  it('forgets the oldest that were handled, and none that is being handled', async () => {
    const seen = seenInMemory({ capacity: 2 })
    for (const key of ['busy', 'a', 'b']) seen.claim(key)
    seen.keep('a')
    seen.keep('b')
    expect(seen.claim('busy')).toBe('busy')
    expect(seen.claim('b')).toBe('handled')
    expect(seen.claim('a')).toBe('claimed')
  })
})
