// How much one run of the scheduler hands over, and how fast one consumer delivers it, in workerd on this machine: D1, the
// queue and the Worker as they are deployed, and a receiver beside them that answers at once.
// node bench/cloudflare.ts [--due 10000]; the queue that workerd has locally holds no more than that.
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
const said: string[] = []
const d1 = await startD1(workers, { handleRuntimeStdio: keepOutput(said) })
try {
  const { cron } = await callerOf(d1.miniflare, 'terce')
  await cron()
  const store = openD1Store(d1.db)
  const people = makePeople(due, () => ({ targetAt: Date.now() - MINUTE }))
  const created = await timed(async () => {
    for (let i = 0; i < people.length; i += 1_000) await store.createUsers(people.slice(i, i + 1_000))
  })
  report('created in D1, a thousand at a time', created)
  const handedOver = await timed(cron)
  report('claimed, rendered and handed to the queue by one run', handedOver)
  const rest = await timed(() => sink.waitFor(due))
  report('delivered by one consumer, six connections', { ms: handedOver.ms + rest.ms })
  const keys = new Set(sink.arrivals.map(({ key }) => key))
  console.log(`${sink.arrivals.length} deliveries under ${keys.size} keys`)
  for (const line of said) console.log(line)
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
  console.log(`${due} ${what}: ${(ms / 1000).toFixed(1)} s, ${perSecond} a second`)
}
