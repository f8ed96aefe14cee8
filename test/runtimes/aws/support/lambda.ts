// The part of AWS around the handlers: the context of a call, and an event source mapping that polls and deletes.
import type { Message } from '@aws-sdk/client-sqs'
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { pollOnce, type SqsServer } from '../../../queues/support/sqs-server.ts'

/** The context of a call with this much time left. */
export function call(timeoutMs: number, awsRequestId = 'call-1'): Context {
  const endsAt = Date.now() + timeoutMs
  return { awsRequestId, getRemainingTimeInMillis: () => endsAt - Date.now() } as Context
}

export function sqsEvent(messages: readonly Message[]): SQSEvent {
  const Records = messages.map((message) => ({
    messageId: message.MessageId!,
    receiptHandle: message.ReceiptHandle!,
    body: message.Body!,
    attributes: { ApproximateReceiveCount: message.Attributes!.ApproximateReceiveCount! },
  }))
  return { Records } as unknown as SQSEvent
}

type Handler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>

/** Polls both queues until they are empty. Returns the number of messages delivered to the handlers. */
export async function runEventSources(
  sqs: SqsServer,
  handlers: { worker: Handler; deadLetters: Handler },
): Promise<number> {
  const poll = (url: string, handler: Handler) =>
    pollOnce(sqs, url, async (messages) => {
      const { batchItemFailures } = await handler(sqsEvent(messages), call(30_000))
      return { failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) }
    })
  let total = 0
  for (;;) {
    const received =
      (await poll(sqs.queueUrl, handlers.worker)) + (await poll(sqs.deadUrl, handlers.deadLetters))
    if (received === 0) return total
    total += received
  }
}
