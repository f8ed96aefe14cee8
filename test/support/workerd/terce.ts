// Terce's Worker in workerd, from the bundle that is deployed, beside a D1 that tests can look into.
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Miniflare, WorkerOptions } from 'miniflare'
import { bundle, WORKER } from '../../../scripts/build-cloudflare.ts'
import { type Consumer, DEPLOYMENT } from './deployment.ts'

export const KEY = 'terce_key-for-tests-0123456789'

/** Quicker than deployed: a test does not wait a second for company. */
const BATCH_TIMEOUT_S = 0.02

export async function terceWorker(
  name: string,
  vars: Record<string, string>,
  how: { consumes?: boolean } = {},
): Promise<WorkerOptions> {
  const { text } = await bundled()
  const producers = DEPLOYMENT.queues.producers.map(({ binding, queue }) => [binding, queue])
  const consumers = DEPLOYMENT.queues.consumers.map((consumer) => [consumer.queue, settingsOf(consumer)])
  return {
    name,
    // Given as a script, Miniflare would look for imports in it, for seconds.
    modules: [{ type: 'ESModule', path: 'worker.js', contents: text }],
    bindings: vars,
    // The second is for tests: a way to bring dead letters.
    queueProducers: { ...Object.fromEntries(producers), DEAD: DEPLOYMENT.queues.consumers[1]!.queue },
    ...(how.consumes && { queueConsumers: Object.fromEntries(consumers) }),
  }
}

let made: ReturnType<typeof bundle> | null = null

/** Bundled once for a file of tests, with a page in place of the dashboard, which need not be built. */
export function bundled(): ReturnType<typeof bundle> {
  made ??= bundle(WORKER, fileURLToPath(new URL('web', import.meta.url)))
  return made
}

function settingsOf({ max_batch_size, max_retries, dead_letter_queue }: Consumer) {
  return {
    maxBatchSize: max_batch_size,
    maxBatchTimeout: BATCH_TIMEOUT_S,
    maxRetries: max_retries,
    ...(dead_letter_queue !== undefined && { deadLetterQueue: dead_letter_queue }),
  }
}

export type Answer<T> = { status: number; body: T }
/** With the key of the tests; null for none. */
export type Call = <T = unknown>(
  method: string,
  path: string,
  body?: unknown,
  key?: string | null,
) => Promise<Answer<T>>

type Remote = {
  fetch(url: string, init: object): Promise<Response>
  scheduled(options: { cron: string }): Promise<{ outcome: string }>
}

/** The handlers of a worker, called as the platform calls them. */
export async function callerOf(miniflare: Miniflare, name: string) {
  const worker = (await miniflare.getWorker(name)) as unknown as Remote
  const call: Call = async <T>(method: string, path: string, body?: unknown, key: string | null = KEY) => {
    const headers = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await worker.fetch(`https://terce.example${path}`, request)
    const text = await response.text()
    return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as T }
  }
  const cron = async () => {
    const { outcome } = await worker.scheduled({ cron: DEPLOYMENT.triggers.crons[0]! })
    if (outcome !== 'ok') throw new Error(`The run of the scheduler ended with ${outcome}.`)
  }
  return { call, cron }
}

/** Keeps what workerd says, line by line, instead of printing it. */
export function keepOutput(lines: string[]) {
  const keep = (stream: Readable) => {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => lines.push(...chunk.split('\n').filter((line) => line !== '')))
  }
  return (out: Readable, err: Readable) => {
    keep(out)
    keep(err)
  }
}
