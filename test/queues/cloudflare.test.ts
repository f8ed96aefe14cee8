// The Cloudflare Queues adapter against a double of the queue; the tests of the Worker use the real one.
import { describe, expect, it } from 'vitest'
import type { ClaimRef } from '../../src/ports/claim.ts'
import type { Message } from '../../src/ports/queue.ts'
import { consumeCloudflare, createCloudflareQueue } from '../../src/queues/cloudflare.ts'
import { createTestClock, newId, T0 } from '../support/fixtures.ts'

const refs = (count: number) => Array.from({ length: count }, () => ({ eventId: newId(T0), version: 2 }))

describe('sending to Cloudflare Queues', () => {
  function queueThat(rejects: (call: number) => boolean) {
    const calls: unknown[][] = []
    const [most, state] = [{ atOnce: 0 }, { inFlight: 0 }]
    const clock = createTestClock(T0)
    const sentAt: number[] = []
    const binding = {
      async sendBatch(messages: { body: unknown }[]) {
        sentAt.push(clock.now() - T0)
        const call = calls.push(messages.map(({ body }) => body))
        state.inFlight += 1
        most.atOnce = Math.max(most.atOnce, state.inFlight)
        await Promise.resolve()
        state.inFlight -= 1
        if (rejects(call)) throw new Error('Too Many Requests')
      },
    }
    const queue = createCloudflareQueue(binding, clock)
    /** While time passes as far as the queue waits. */
    const send = async (given: readonly ClaimRef[]) => {
      const result = queue.send(given)
      await clock.advance(5_000)
      return result
    }
    return { send, calls, most, sentAt }
  }

  it('sends 100 messages per call, six calls at once, and only the event id and version', async () => {
    const { send, calls, most } = queueThat(() => false)
    const given = refs(1_050)
    expect(await send(given.map((ref) => ({ ...ref, firstName: 'Ada' })))).toEqual({
      failed: [],
      error: null,
    })
    expect(calls.map(({ length }) => length)).toEqual([...Array(10).fill(100), 50])
    expect(calls.flat()).toEqual(given)
    expect(most.atOnce).toBe(6)
  })

  it('returns the messages that were rejected, and the error', async () => {
    const { send } = queueThat((call) => call === 2)
    const given = refs(250)
    expect(await send(given)).toEqual({
      failed: given.slice(100, 200),
      error: new Error('Too Many Requests'),
    })
  })

  it('sends fewer messages in any second than a queue accepts', async () => {
    const { send, calls, sentAt } = queueThat(() => false)
    await send(refs(12_000))
    expect(calls.flat()).toHaveLength(12_000)
    for (const from of sentAt) {
      const inSecond = sentAt.filter((at) => at >= from && at < from + 1_000)
      expect(inSecond.length * 100).toBeLessThan(5_000)
    }
    // 12,000 messages at 4,500 a second, less the first round, which waits for nothing.
    expect(Math.max(...sentAt)).toBeLessThan(2_700)
  })
})

describe('a batch from Cloudflare Queues', () => {
  function carrier(body: unknown, attempts = 1) {
    const dispositions: unknown[] = []
    const message = {
      body,
      attempts,
      ack: () => dispositions.push('ack'),
      retry: (how?: object) => dispositions.push(how),
    }
    return { message, dispositions }
  }

  it('has each message acknowledged or retried as the consumer decides', async () => {
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
    expect(carriers.map(({ dispositions }) => dispositions)).toEqual([
      ['ack'],
      [{ delaySeconds: 2 }],
      // The longest delay that the service allows.
      [{ delaySeconds: 43_200 }],
    ])
  })

  it('has unreadable messages acknowledged, because a retry could not help, and only these', async () => {
    const unreadables = [carrier('hello'), carrier({ eventId: 'x', version: 1 }), carrier(null)]
    const [ref] = refs(1)
    const good = carrier(ref)
    const { unreadable } = await consumeCloudflare(
      [...unreadables, good].map(({ message }) => message),
      async (messages) => messages.map(() => ({ kind: 'retry', delayMs: 0 })),
    )
    expect(unreadable).toBe(3)
    for (const { dispositions } of unreadables) expect(dispositions).toEqual(['ack'])
    expect(good.dispositions).toEqual([{ delaySeconds: 0 }])
  })
})
