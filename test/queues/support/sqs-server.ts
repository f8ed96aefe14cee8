// An SQS server with a queue and a dead-letter queue, behind a proxy that can reject single entries.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { startFauxqs } from 'fauxqs'

export type SqsServer = {
  endpoint: string
  client: SQSClient
  queueUrl: string
  deadUrl: string
  /** From now on the proxy rejects entries that contain this text; null rejects none. */
  reject(text: string | null): void
  /** How many messages are in the queue, visible or not. */
  count(queueUrl: string): number
  /** How many batches were sent. */
  batches(): number
  stop(): Promise<void>
}

/** The visibility timeout is a minute; after `maxReceives` a message goes to the dead-letter queue. */
export async function startSqs(maxReceives: number): Promise<SqsServer> {
  const server = await startFauxqs({ port: 0, host: 'localhost', logger: false })
  const dead = server.createQueue('dead')
  const redrive = { deadLetterTargetArn: dead.queueArn, maxReceiveCount: maxReceives }
  const attributes = { VisibilityTimeout: '60', RedrivePolicy: JSON.stringify(redrive) }
  const queue = server.createQueue('deliveries', { attributes })
  const { origin } = new URL(queue.queueUrl)
  const proxy = await startProxy(`http://127.0.0.1:${server.port}`, origin)
  // The client sends to the host in the URL of a queue.
  const throughProxy = ({ queueUrl }: { queueUrl: string }) => queueUrl.replace(origin, proxy.endpoint)
  const client = new SQSClient({
    endpoint: proxy.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  return {
    endpoint: proxy.endpoint,
    client,
    queueUrl: throughProxy(queue),
    deadUrl: throughProxy(dead),
    reject: proxy.reject,
    batches: proxy.batches,
    count(queueUrl) {
      const { ready, delayed, inflight } = server.inspectQueue(queueUrl.split('/').at(-1)!)!.messages
      return ready.length + delayed.length + inflight.length
    },
    stop: async () => {
      client.destroy()
      await proxy.close()
      await server.stop()
    },
  }
}

type Entry = { Id: string; MessageBody: string }
type Sent = { Successful?: unknown[]; Failed?: unknown[] }

/** Forwards requests, but rejects single entries of a batch, as SQS does on an internal error. */
async function startProxy(target: string, origin: string) {
  let rejected: string | null = null
  let batches = 0
  let endpoint = ''
  const server = createServer(async (request, response) => {
    const body = (await textOf(request)).replaceAll(endpoint, origin)
    const isSend = String(request.headers['x-amz-target']).endsWith('.SendMessageBatch')
    if (isSend) batches += 1
    const out: Entry[] = []
    let passed = body
    if (isSend && rejected !== null) {
      const batch = JSON.parse(body) as { Entries: Entry[] }
      out.push(...batch.Entries.filter((entry) => entry.MessageBody.includes(rejected!)))
      passed = JSON.stringify({ ...batch, Entries: batch.Entries.filter((entry) => !out.includes(entry)) })
    }
    const answer = await fetch(`${target}${request.url}`, {
      method: 'POST',
      headers: headersOf(request),
      body: passed,
    })
    const text = await answer.text()
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' })
    if (out.length === 0) return response.end(text)
    const sent = JSON.parse(text) as Sent
    const Failed = out.map(({ Id }) => ({
      Id,
      SenderFault: false,
      Code: 'InternalError',
      Message: 'Not now.',
    }))
    response.end(JSON.stringify({ ...sent, Failed }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    batches: () => batches,
    reject: (text: string | null) => {
      rejected = text
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.startsWith('x-amz') || name === 'content-type')
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}

/**
 * Does what an event source mapping does with one batch: receives it, calls the handler, and deletes the messages that the
 * handler did not report as failed. If the handler throws, deletes nothing and ends the visibility timeout at once.
 * Returns how many messages were received.
 */
export async function pollOnce(
  { client }: SqsServer,
  queueUrl: string,
  handle: (messages: Message[]) => Promise<{ failed: string[] }>,
): Promise<number> {
  const { Messages: messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    }),
  )
  if (messages.length === 0) return 0
  const entries = messages.map((message, i) => ({ Id: String(i), ReceiptHandle: message.ReceiptHandle! }))
  try {
    const { failed } = await handle(messages)
    const done = entries.filter((_, i) => !failed.includes(messages[i]!.MessageId!))
    if (done.length > 0)
      await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries: done }))
  } catch {
    const Entries = entries.map((entry) => ({ ...entry, VisibilityTimeout: 0 }))
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }))
  }
  return messages.length
}
