// Measures the Worker in workerd on this machine, with D1, the queue and the deployed bundle: how many events one run of the
// scheduler enqueues, and how fast one consumer delivers them to a receiver that responds at once.
// node bench/cloudflare.ts [--due 10000]; the local queue of workerd holds at most 10,000 messages.
import { parseArgs } from 'node:util'
import { openD1Store } from '../src/stores/d1/d1-store.ts'
import { startSink } from '../test/runtimes/support/sink.ts'
import { MINUTE, makePeople } from '../test/support/fixtures.ts'
import { startD1 } from '../test/support/workerd/d1.ts'
import { callerOf, KEY, keepOutput, terceWorker } from '../test/support/workerd/terce.ts'

const { values } = parseArgs({ options: { due: { type: 'string', default: '10000' } } })
const due = Number(values.due)

const sink = await startSink()
const vars = { TERCE_API_KEYS: `bench:admin:${KEY}`, WEBHOOK_URL: sink.url, LOG_LEVEL: 'error' }
const workers = [await terceWorker('terce', vars, { consumes: true })]
const output: string[] = []
const d1 = await startD1(workers, { handleRuntimeStdio: keepOutput(output) })
try {
  const { cron } = await callerOf(d1.miniflare, 'terce')
  await cron()
  const store = openD1Store(d1.db)
  const people = makePeople(due, () => ({ targetAt: Date.now() - MINUTE }))
  const created = await timed(async () => {
    for (let i = 0; i < people.length; i += 1_000) await store.createUsers(people.slice(i, i + 1_000))
  })
  report('people created in D1, 1,000 in each batch', created)
  const enqueued = await timed(cron)
  report('events claimed, rendered and enqueued by one run', enqueued)
  const rest = await timed(() => sink.waitFor(due))
  report('events delivered by one consumer with six connections', { ms: enqueued.ms + rest.ms })
  const keys = new Set(sink.arrivals.map(({ key }) => key))
  console.log(`${sink.arrivals.length} deliveries with ${keys.size} distinct keys`)
  for (const line of output) console.log(line)
} finally {
  await d1.stop()
  await sink.close()
}

async function timed(work: () => Promise<unknown>): Promise<{ ms: number }> {
  const began = performance.now()
  await work()
  return { ms: performance.now() - began }
}

function report(what: string, { ms }: { ms: number }): void {
  const perSecond = Math.round((due / ms) * 1000)
  console.log(`${due} ${what}: ${(ms / 1000).toFixed(1)} s, ${perSecond} per second`)
}
