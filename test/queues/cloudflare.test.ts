// What Terce says to Cloudflare Queues and makes of its answers. The far side is a double here; the Worker's own tests have
// the real one.
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/ports/queue.ts'
import { consumeCloudflare, createCloudflareQueue } from '../../src/queues/cloudflare.ts'
import { newId, T0 } from '../support/fixtures.ts'

const refs = (count: number) => Array.from({ length: count }, () => ({ eventId: newId(T0), version: 2 }))

describe('handing over', () => {
  function queueThat(refuses: (call: number) => boolean) {
    const calls: unknown[][] = []
    const [most, state] = [{ atOnce: 0 }, { underWay: 0 }]
    const queue = createCloudflareQueue({
      async sendBatch(messages) {
        const call = calls.push(messages.map(({ body }) => body))
        state.underWay += 1
        most.atOnce = Math.max(most.atOnce, state.underWay)
        await Promise.resolve()
        state.underWay -= 1
        if (refuses(call)) throw new Error('Too Many Requests')
      },
    })
    return { queue, calls, most }
  }

  it('goes by hundreds, six calls at once at most, and says nothing but event and version', async () => {
    const { queue, calls, most } = queueThat(() => false)
    const given = refs(1_050)
    expect(await queue.send(given.map((ref) => ({ ...ref, firstName: 'Ada' })))).toEqual({
      failed: [],
      error: null,
    })
    expect(calls.map(({ length }) => length)).toEqual([...Array(10).fill(100), 50])
    expect(calls.flat()).toEqual(given)
    expect(most.atOnce).toBe(6)
  })

  it('tells which were not taken, and why', async () => {
    const { queue } = queueThat((call) => call === 2)
    const given = refs(250)
    expect(await queue.send(given)).toEqual({
      failed: given.slice(100, 200),
      error: new Error('Too Many Requests'),
    })
  })
})

describe('a batch that came', () => {
  function carrier(body: unknown, attempts = 1) {
    const answers: unknown[] = []
    const message = {
      body,
      attempts,
      ack: () => answers.push('ack'),
      retry: (how?: object) => answers.push(how),
    }
    return { message, answers }
  }

  it('has each message answered by what the consumer says of it', async () => {
    const [first, second, third] = refs(3)
    const carriers = [carrier(first), carrier(second, 4), carrier(third)]
    const seen: Message[] = []
    await consumeCloudflare(
      carriers.map(({ message }) => message),
      async (messages) => {
        seen.push(...messages)
        return [{ kind: 'ack' }, { kind: 'retry', delayMs: 1_001 }, { kind: 'retry', delayMs: 1e9 }]
      },
    )
    expect(seen.map(({ receives }) => receives)).toEqual([1, 4, 1])
    expect(carriers.map(({ answers }) => answers)).toEqual([
      ['ack'],
      [{ delaySeconds: 2 }],
      // As long as a message can be put off.
      [{ delaySeconds: 43_200 }],
    ])
  })

  it('loses what is no reference, which no attempt could bring to an end, and nothing else', async () => {
    const strange = [carrier('hello'), carrier({ eventId: 'x', version: 1 }), carrier(null)]
    const [ref] = refs(1)
    const good = carrier(ref)
    const { unreadable } = await consumeCloudflare(
      [...strange, good].map(({ message }) => message),
      async (messages) => messages.map(() => ({ kind: 'retry', delayMs: 0 })),
    )
    expect(unreadable).toBe(3)
    for (const { answers } of strange) expect(answers).toEqual(['ack'])
    expect(good.answers).toEqual([{ delaySeconds: 0 }])
  })
})
