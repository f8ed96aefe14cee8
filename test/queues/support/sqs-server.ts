// A queue that speaks SQS, with its dead-letter queue, and a gate before it that can refuse single entries.
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
  /** From now on an entry that says this is refused; null for none. */
  refuse(text: string | null): void
  /** How many messages lie in the queue, seen or not. */
  count(queueUrl: string): number
  stop(): Promise<void>
}

/** Messages come again after a minute unless their consumer says otherwise, so often, and then go to the dead-letter queue. */
export async function startSqs(maxReceives: number): Promise<SqsServer> {
  const server = await startFauxqs({ port: 0, host: 'localhost', logger: false })
  const dead = server.createQueue('dead')
  const redrive = { deadLetterTargetArn: dead.queueArn, maxReceiveCount: maxReceives }
  const attributes = { VisibilityTimeout: '60', RedrivePolicy: JSON.stringify(redrive) }
  const queue = server.createQueue('deliveries', { attributes })
  const { origin } = new URL(queue.queueUrl)
  const gate = await startGate(`http://127.0.0.1:${server.port}`, origin)
  // The client sends to wherever the address of a queue points.
  const throughGate = ({ queueUrl }: { queueUrl: string }) => queueUrl.replace(origin, gate.endpoint)
  const client = new SQSClient({
    endpoint: gate.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  return {
    endpoint: gate.endpoint,
    client,
    queueUrl: throughGate(queue),
    deadUrl: throughGate(dead),
    refuse: gate.refuse,
    count(queueUrl) {
      const { ready, delayed, inflight } = server.inspectQueue(queueUrl.split('/').at(-1)!)!.messages
      return ready.length + delayed.length + inflight.length
    },
    stop: async () => {
      client.destroy()
      await gate.close()
      await server.stop()
    },
  }
}

type Entry = { Id: string; MessageBody: string }
type Sent = { Successful?: unknown[]; Failed?: unknown[] }

/** Passes requests on, but takes single entries out of a batch that is sent, as SQS does when it cannot take them. */
async function startGate(target: string, origin: string) {
  let refused: string | null = null
  let endpoint = ''
  const server = createServer(async (request, response) => {
    const body = (await textOf(request)).replaceAll(endpoint, origin)
    const isSend = String(request.headers['x-amz-target']).endsWith('.SendMessageBatch')
    const out: Entry[] = []
    let passed = body
    if (isSend && refused !== null) {
      const batch = JSON.parse(body) as { Entries: Entry[] }
      out.push(...batch.Entries.filter((entry) => entry.MessageBody.includes(refused!)))
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
    refuse: (text: string | null) => {
      refused = text
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
 * What an event source mapping does with one batch: receives it, calls the handler, deletes all that it did not name. If
 * the handler throws it deletes nothing, and the visibility timeout passes, here at once. Returns how many were received.
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
