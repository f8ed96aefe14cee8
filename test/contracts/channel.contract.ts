// What every channel promises, whichever protocol it speaks. Each implementation runs this against a real server.
import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { Channel, Delivery } from '../../src/ports/channel.ts'
import { until } from '../support/until.ts'

/**
 * `accepts` accepts every message. `hangs` reads the message and never responds. `unavailable` responds that it cannot accept
 * the message now, with a text that quotes the message and the secret.
 */
export type Behaviour = 'accepts' | 'hangs' | 'unavailable'

export type TestReceiver = {
  channel: Channel
  /** The messages that arrived, byte for byte, without headers that change from attempt to attempt. */
  received(): Promise<string[]>
  /** Whether a message has reached a receiver that hangs. */
  isReached(): boolean
  /** Open connections. */
  connections(): number
  close(): Promise<void>
}

export type ChannelContract = {
  start(behaviour: Behaviour, timeoutMs: number): Promise<TestReceiver>
  delivery: Delivery
  /** Texts that no result may contain. */
  confidential: readonly string[]
  /** What an unavailable receiver asks for, in milliseconds; null where the protocol has no such field. */
  retryAfterMs: number | null
  /** Null, or why close() has no connections of its own to end. */
  sharesConnections: string | null
}

const LONG_MS = 60_000

export function describeChannelContract(name: string, contract: ChannelContract): void {
  const { delivery, confidential, retryAfterMs } = contract
  const receivers: TestReceiver[] = []
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close()
  })

  async function start(behaviour: Behaviour, timeoutMs = LONG_MS): Promise<TestReceiver> {
    const receiver = await contract.start(behaviour, timeoutMs)
    receivers.push(receiver)
    return receiver
  }

  const signal = () => new AbortController().signal

  describe(`the contract of a channel, kept by ${name}`, () => {
    it('delivers a message', async () => {
      const { channel, received } = await start('accepts')
      expect(await channel.deliver(delivery, signal())).toMatchObject({ kind: 'delivered' })
      expect(await received()).toHaveLength(1)
    })

    it('sends the same bytes at every attempt', async () => {
      const { channel, received } = await start('accepts')
      for (const attempt of [1, 2, 3]) await channel.deliver({ ...delivery, attempt }, signal())
      const messages = await received()
      expect(messages).toHaveLength(3)
      expect(new Set(messages).size).toBe(1)
    })

    it('ends an attempt at its timeout', async () => {
      const { channel } = await start('hangs', 200)
      expect(await channel.deliver(delivery, signal())).toEqual({
        kind: 'transient',
        error: 'TIMEOUT: no response within 200 ms',
        statusCode: null,
      })
    })

    it('ends an attempt in flight when its signal aborts', async () => {
      const { channel, isReached } = await start('hangs')
      const controller = new AbortController()
      const result = channel.deliver(delivery, controller.signal)
      await until('the message reaches the receiver', isReached, Boolean)
      controller.abort()
      expect(await result).toEqual({ kind: 'transient', error: 'CONNECTION: given up', statusCode: null })
    })

    it('sends nothing if its signal has already aborted', async () => {
      const { channel, received } = await start('accepts')
      const result = await channel.deliver(delivery, AbortSignal.abort())
      expect(result).toEqual({ kind: 'transient', error: 'CONNECTION: given up', statusCode: null })
      expect(await received()).toEqual([])
    })

    it('leaves no listener on the signal', async () => {
      const { channel } = await start('accepts')
      const { signal: shared } = new AbortController()
      await channel.deliver(delivery, shared)
      expect(getEventListeners(shared, 'abort')).toEqual([])
    })

    it(`retries an unavailable receiver${retryAfterMs === null ? '' : ', after the time it asks for'}`, async () => {
      const { channel } = await start('unavailable')
      const result = await channel.deliver(delivery, signal())
      expect(result).toMatchObject({ kind: 'transient', statusCode: expect.any(Number) })
      if (retryAfterMs === null) expect(result).not.toHaveProperty('retryAfterMs')
      else expect(result).toMatchObject({ retryAfterMs })
    })

    it('returns what the receiver responded, if the delivery keeps it', async () => {
      const { channel } = await start('unavailable')
      const { response } = await channel.deliver({ ...delivery, keepResponses: 'all' }, signal())
      expect(response?.body).toContain('Ada <ada@example.com> birthday')
    })

    it('returns the responses of failed attempts only, if the delivery says so', async () => {
      const [failing, accepting] = [await start('unavailable'), await start('accepts')]
      const kept = { ...delivery, keepResponses: 'failures' } as const
      expect(await failing.channel.deliver(kept, signal())).toHaveProperty('response')
      expect(await accepting.channel.deliver(kept, signal())).not.toHaveProperty('response')
    })

    it('names its destination without a secret', async () => {
      const { destination } = (await start('accepts')).channel
      expect(destination).toMatch(/^(https?|smtps?):\/\/[^?@]+$/)
      for (const text of confidential) expect(destination).not.toContain(text)
    })

    it('keeps the secret, the person and the message out of the error', async () => {
      const { channel } = await start('unavailable')
      const result = JSON.stringify(await channel.deliver(delivery, signal()))
      for (const text of confidential) expect(result).not.toContain(text)
    })

    it(contract.sharesConnections ?? 'closes its connections with close()', async () => {
      const { channel, connections } = await start('accepts')
      await channel.deliver(delivery, signal())
      await channel.close()
      await channel.close()
      if (contract.sharesConnections === null)
        await until('the connections are closed', connections, (open) => open === 0)
    })
  })
}
