// The handlers of Lambda functions that SQS calls: the workers, and the consumer of dead letters.
import { createQueueConsumer, type QueueConsumer, retryAfter } from '../../engine/queue/consumer.ts'
import { consumeSqs, type ReceivedBatch, type SqsRecord } from '../../queues/sqs.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createLogger } from '../../telemetry/logger.ts'
import { ConfigError } from '../config/config.ts'
import { consumerSettingsOf, engineDepsOf } from '../shared/serverless.ts'
import type { LambdaCall } from './call.ts'
import {
  type AwsRuntime,
  awsRuntime,
  databaseAddress,
  keptFor,
  knownConfig,
  outageOf,
  sqsOf,
  untilOf,
} from './runtime.ts'

/** What is read of Lambda's event for a batch of SQS. Written out, so that the types of this module need no other package. */
type SQSEvent = { Records: SQSMessage[] }
type SQSMessage = {
  messageId: string
  receiptHandle: string
  body: string
  attributes: { ApproximateReceiveCount: string }
}
type SQSBatchResponse = { batchItemFailures: { itemIdentifier: string }[] }

/** Delivers a batch from the queue. SQS redelivers the messages listed in the response. */
export async function worker(event: SQSEvent, context: LambdaCall): Promise<SQSBatchResponse> {
  const { runtime, received } = await consume(event, context, 'work')
  const error = new Error('The message does not name an event.')
  for (const messageId of received.unreadable)
    runtime?.telemetry({ kind: 'error', operation: 'read-message', error, retryInMs: null, messageId })
  return { batchItemFailures: [...received.again, ...received.unreadable].map(asFailure) }
}

/** Fails the events of dead letters. A message that does not name an event was logged by `worker`, and is dropped. */
export async function deadLetters(event: SQSEvent, context: LambdaCall): Promise<SQSBatchResponse> {
  const { received } = await consume(event, context, 'deadLetter')
  return { batchItemFailures: received.again.map(asFailure) }
}

async function consume(
  { Records }: SQSEvent,
  context: LambdaCall,
  how: keyof QueueConsumer,
): Promise<{ runtime: AwsRuntime | null; received: ReceivedBatch }> {
  const records = Records.map(({ messageId, receiptHandle, body, attributes }) => {
    return { messageId, receiptHandle, body, receives: Number(attributes.ApproximateReceiveCount) }
  })
  const runtime = await awsRuntime().catch((error: Error) => error)
  if (runtime instanceof Error) return { runtime: null, received: await retryLater(records, runtime) }
  const until = untilOf(runtime, context)
  const received = await consumeSqs(await sqsOf(process.env), records, (messages) =>
    queueWorker(runtime)[how](messages, until),
  )
  await runtime.rest()
  return { runtime, received }
}

/**
 * The batch of a function that cannot start: its database is down, or a setting is invalid. A call that throws would come back
 * after the visibility timeout, and use up all receives before the lease expires: events would fail that nobody tried to send.
 */
async function retryLater(records: readonly SqsRecord[], error: Error): Promise<ReceivedBatch> {
  const { leaseMs, logLevel } = knownConfig()
  const retryMs = retryAfter(leaseMs)
  const attempt = Math.max(...records.map(({ receives }) => receives))
  const retryInMs = retryMs(attempt)
  const logger = createLogger(logLevel)
  const outage = outageOf(error)
  if (outage !== null)
    logTelemetry(logger)({
      kind: 'waiting',
      database: databaseAddress(),
      attempt,
      retryInMs,
      error: outage,
    })
  // The message of a ConfigError names the setting, and has no secret.
  else
    logger.error(
      { error, retryInMs },
      error instanceof ConfigError ? error.message : 'The function cannot start',
    )
  return consumeSqs(await sqsOf(process.env), records, async (messages) =>
    messages.map(({ receives }) => ({ kind: 'retry', delayMs: retryMs(receives) })),
  )
}

const queueWorker = /* @__PURE__ */ keptFor((runtime) =>
  createQueueConsumer(engineDepsOf(runtime), consumerSettingsOf(runtime)),
)

function asFailure(itemIdentifier: string): { itemIdentifier: string } {
  return { itemIdentifier }
}
