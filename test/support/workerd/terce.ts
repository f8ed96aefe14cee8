// Runs Terce's Worker in workerd, from the bundle that is deployed, with a D1 that tests can read.
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Miniflare, WorkerOptions } from 'miniflare'
import { bundle, HYPERDRIVE_WORKER, WORKER } from '../../../scripts/build-cloudflare.ts'
import { type Consumer, DEPLOYMENT } from './deployment.ts'
import { limitedEntry } from './limited.ts'

export const KEY = 'terce_key-for-tests-with-many-characters'

/** Shorter than deployed, so that a test does not wait a second for each batch. */
const BATCH_TIMEOUT_S = 0.02

export async function terceWorker(
  name: string,
  vars: Record<string, string>,
  how: {
    consumes?: boolean
    /** The Worker of `metricsWorker`, which takes the place of Analytics Engine. */
    metrics?: WorkerOptions
    /** How many queries D1 accepts in one call. */
    queries?: number
    /** The address of a PostgreSQL, for the Worker on Hyperdrive. */
    postgres?: string
  } = {},
): Promise<WorkerOptions> {
  const { text } = await bundled(how.postgres === undefined ? WORKER : HYPERDRIVE_WORKER)
  const worker = { type: 'ESModule' as const, path: 'worker.js', contents: text }
  const limited =
    how.queries === undefined ? [] : [{ ...worker, path: 'limited.js', contents: limitedEntry(how.queries) }]
  const producers = DEPLOYMENT.queues.producers.map(({ binding, queue }) => [binding, queue])
  const consumers = DEPLOYMENT.queues.consumers.map((consumer) => [consumer.queue, settingsOf(consumer)])
  const datasets = DEPLOYMENT.analytics_engine_datasets.map(({ binding, dataset }) => [binding, { dataset }])
  return {
    name,
    ...(how.metrics === undefined
      ? { analyticsEngineDatasets: Object.fromEntries(datasets) }
      : { wrappedBindings: { METRICS: how.metrics.name! } }),
    // As a `script`, Miniflare would search it for imports, which takes seconds.
    modules: [...limited, worker],
    bindings: vars,
    ...(how.postgres !== undefined && { hyperdrives: { HYPERDRIVE: how.postgres } }),
    // DEAD exists only in tests: it puts messages into the dead letter queue.
    queueProducers: { ...Object.fromEntries(producers), DEAD: DEPLOYMENT.queues.consumers[1]!.queue },
    ...(how.consumes && { queueConsumers: Object.fromEntries(consumers) }),
  }
}

/** Prints the data points that the Worker writes: the Analytics Engine of Miniflare drops them. */
export function metricsWorker(name: string): WorkerOptions {
  const script = `export default () => ({ writeDataPoint: (point) => console.log(JSON.stringify({ point })) })`
  const none = { d1Databases: undefined, compatibilityDate: undefined, compatibilityFlags: undefined }
  return {
    name,
    modules: [{ type: 'ESModule', path: 'metrics.js', contents: script }],
    ...none,
  } as WorkerOptions
}

const made = new Map<string, ReturnType<typeof bundle>>()

/** Bundles once for each test file, with a small page instead of the dashboard, which may not be built. */
export function bundled(entry = WORKER): ReturnType<typeof bundle> {
  const found = made.get(entry) ?? bundle(entry, fileURLToPath(new URL('web', import.meta.url)))
  made.set(entry, found)
  return found
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
/** Sends the API key of the tests; `key: null` sends no key. */
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

/** Calls the handlers of a Worker as the platform does. */
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
    if (outcome !== 'ok') throw new Error(`The scheduler ended with ${outcome}.`)
  }
  return { call, cron }
}

/** Collects the output of workerd in `lines` instead of printing it. */
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
