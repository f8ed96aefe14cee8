// Sends claims by Amazon SQS, and handles a batch that it delivered. Knows nothing of Lambda's wiring.
import type { SQSClient } from '@aws-sdk/client-sqs'
import { loadOptional } from '../domain/optional-package.ts'
import type { ClaimRef } from '../ports/claim.ts'
import type { Consumer, Disposition, Message, Queue } from '../ports/queue.ts'
import { fromText, inBatches, toBody } from './wire.ts'

/** The limit of one SQS call. */
const MOST_ENTRIES = 10
/** Calls in flight at once: a batch of a thousand is sent in seven rounds. */
const CALLS_AT_ONCE = 16

type Sqs = { client: SQSClient; queueUrl: string }

/** Throws a MissingPackageError if the AWS SDK is not installed. */
export function loadSqs() {
  return loadOptional('SQS', '@aws-sdk/client-sqs', () => import('./aws-sdk.ts'))
}

export function createSqsQueue({ client, queueUrl }: Sqs): Queue {
  /** The rejected references, and why. */
  async function sendBatch(refs: readonly ClaimRef[]): Promise<{ failed: ClaimRef[]; error: unknown }> {
    const Entries = refs.map((ref, i) => ({ Id: String(i), MessageBody: JSON.stringify(toBody(ref)) }))
    const { SendMessageBatchCommand } = await loadSqs()
    try {
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
      const failed = Failed.map(({ Id }) => refs[Number(Id)]!)
      return { failed, error: Failed[0] === undefined ? null : rejectedRecord(Failed[0]) }
    } catch (error) {
      // The messages may have arrived. Their events are released and claimed again under a newer version, so these are stale.
      return { failed: [...refs], error }
    }
  }

  return {
    async send(refs) {
      const batches = inBatches(refs, MOST_ENTRIES)
      const results: { failed: ClaimRef[]; error: unknown }[] = []
      for (const round of inBatches(batches, CALLS_AT_ONCE))
        results.push(...(await Promise.all(round.map(sendBatch))))
      const wrong = results.filter(({ failed }) => failed.length > 0)
      return { failed: wrong.flatMap(({ failed }) => failed), error: wrong[0]?.error ?? null }
    },
  }
}

function rejectedRecord({
  Code,
  Message: message,
}: {
  Code?: string | undefined
  Message?: string | undefined
}): Error {
  return Object.assign(new Error(message ?? 'SQS rejected an entry.'), { code: Code })
}

/** A message as SQS or Lambda delivers it. */
export type SqsRecord = { messageId: string; receiptHandle: string; body: string; receives: number }

export type ReceivedBatch = {
  /** Message ids of records to redeliver: SQS keeps them. */
  again: string[]
  /** Message ids of records whose body is not a reference. */
  unreadable: string[]
}

/** Passes a batch to its consumer, and sets when SQS redelivers the records to retry. */
export async function consumeSqs(
  { client, queueUrl }: Sqs,
  records: readonly SqsRecord[],
  consume: (messages: readonly Message[]) => ReturnType<Consumer>,
): Promise<ReceivedBatch> {
  const readable: { record: SqsRecord; message: Message }[] = []
  const unreadable: string[] = []
  for (const record of records) {
    const ref = fromText(record.body)
    if (ref === null) unreadable.push(record.messageId)
    else readable.push({ record, message: { ...ref, receives: record.receives } })
  }
  const answers = readable.length === 0 ? [] : await consume(readable.map(({ message }) => message))
  const again = readable.flatMap(({ record }, i) => {
    const answer = answers[i]
    return answer?.kind === 'ack' ? [] : [{ record, answer }]
  })
  await delay({ client, queueUrl }, again)
  return { again: again.map(({ record }) => record.messageId), unreadable }
}

/** The longest visibility timeout of SQS. */
const LONGEST_DELAY_S = 43_200

// If the call fails, SQS redelivers them after the visibility timeout of the queue.
async function delay(
  { client, queueUrl }: Sqs,
  again: readonly { record: SqsRecord; answer: Disposition | undefined }[],
): Promise<void> {
  const entries = again.flatMap(({ record, answer }, i) => {
    if (answer?.kind !== 'retry') return []
    const VisibilityTimeout = Math.min(LONGEST_DELAY_S, Math.ceil(answer.delayMs / 1000))
    return [{ Id: String(i), ReceiptHandle: record.receiptHandle, VisibilityTimeout }]
  })
  const { ChangeMessageVisibilityBatchCommand } = await loadSqs()
  const calls = inBatches(entries, MOST_ENTRIES).map((Entries) =>
    client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries })),
  )
  await Promise.allSettled(calls)
}
