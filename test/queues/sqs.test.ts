// Amazon SQS: the queue contract, batch limits, rejected entries and visibility timeouts.
import type { Message as SqsMessage } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Disposition, Message } from '../../src/ports/queue.ts'
import { consumeSqs, createSqsQueue, type SqsRecord } from '../../src/queues/sqs.ts'
import { describeQueueContract, MAX_RECEIVES } from '../contracts/queue.contract.ts'
import { newId, T0 } from '../support/fixtures.ts'
import { pollOnce, type SqsServer, startSqs } from './support/sqs-server.ts'

type Consume = (messages: readonly Message[]) => Promise<Disposition[]>

/** Polls as Lambda would until the queue is empty. */
async function drain(sqs: SqsServer, consumers: { work: Consume; deadLetter: Consume }): Promise<void> {
  const { client, queueUrl, deadUrl } = sqs
  const poll = (url: string, consume: Consume) =>
    pollOnce(sqs, url, async (messages) => {
      const { again, unreadable } = await consumeSqs(
        { client, queueUrl: url },
        messages.map(toRecord),
        consume,
      )
      return { failed: [...again, ...unreadable] }
    })
  for (;;) {
    const received = (await poll(queueUrl, consumers.work)) + (await poll(deadUrl, consumers.deadLetter))
    if (received === 0) return
  }
}

function toRecord(message: SqsMessage): SqsRecord {
  return {
    messageId: message.MessageId!,
    receiptHandle: message.ReceiptHandle!,
    body: message.Body!,
    receives: Number(message.Attributes!.ApproximateReceiveCount),
  }
}

describeQueueContract('Amazon SQS', async (consumers) => {
  const sqs = await startSqs(MAX_RECEIVES)
  return {
    queue: createSqsQueue(sqs),
    limit: 10,
    drain: () => drain(sqs, consumers),
    reject: sqs.reject,
    close: sqs.stop,
  }
})

describe('sending to SQS', () => {
  let sqs: SqsServer
  beforeEach(async () => {
    sqs = await startSqs(MAX_RECEIVES)
  })
  afterEach(() => sqs.stop())

  const refs = (count: number) => Array.from({ length: count }, () => ({ eventId: newId(T0), version: 2 }))

  it('returns the messages that were rejected with the error, and sends the others', async () => {
    const all = refs(25)
    sqs.reject(all[13]!.eventId)
    const { failed, error } = await createSqsQueue(sqs).send(all)
    expect(failed).toEqual([all[13]])
    expect(error).toMatchObject({ code: 'InternalError' })
    expect(sqs.count(sqs.queueUrl)).toBe(24)
  })

  it('returns all messages as failed if the service cannot be reached', async () => {
    const all = refs(12)
    await sqs.stop()
    const { failed, error } = await createSqsQueue(sqs).send(all)
    expect(failed).toEqual(all)
    expect(error).toBeInstanceOf(Error)
  })

  it('sends a thousand messages in batches of ten', async () => {
    const { failed } = await createSqsQueue(sqs).send(refs(1_000))
    expect(failed).toEqual([])
    expect([sqs.count(sqs.queueUrl), sqs.batches()]).toEqual([1_000, 100])
  })
})

describe('a message from SQS', () => {
  let sqs: SqsServer
  beforeEach(async () => {
    sqs = await startSqs(MAX_RECEIVES)
  })
  afterEach(() => sqs.stop())

  const consumerOf = (disposition: Disposition): Consume => {
    return async (messages) => messages.map(() => disposition)
  }
  const receive = (consume: Consume) =>
    pollOnce(sqs, sqs.queueUrl, async (messages) => {
      const { again } = await consumeSqs(sqs, messages.map(toRecord), consume)
      return { failed: again }
    })

  it('that is retried is received again after its own delay, not after the visibility timeout of the queue', async () => {
    await createSqsQueue(sqs).send([{ eventId: newId(T0), version: 2 }])
    expect(await receive(consumerOf({ kind: 'retry', delayMs: 0 }))).toBe(1)
    expect(await receive(consumerOf({ kind: 'retry', delayMs: 30_000 }))).toBe(1)
    expect(await receive(consumerOf({ kind: 'ack' }))).toBe(0)
    expect(sqs.count(sqs.queueUrl)).toBe(1)
  })

  for (const body of ['', 'null', '{"eventId":"x","version":1}', '{"eventId":7}', '<xml/>']) {
    it(`with the body ${JSON.stringify(body)} is reported as unreadable and not consumed`, async () => {
      const ref = { eventId: newId(T0), version: 2 }
      const records = [body, JSON.stringify(ref)].map((text, i) => ({
        messageId: `m${i}`,
        receiptHandle: `r${i}`,
        body: text,
        receives: 1,
      }))
      const worked: Message[] = []
      const result = await consumeSqs(sqs, records, async (messages) => {
        worked.push(...messages)
        return messages.map(() => ({ kind: 'ack' }))
      })
      expect(result).toEqual({ again: [], unreadable: ['m0'] })
      expect(worked).toEqual([{ ...ref, receives: 1 }])
    })
  }
})
