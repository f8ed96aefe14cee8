// Measures how late events arrive that are due at one instant in many shards. All shards share one workerd and one thread.
// node bench/shards.ts [--shards 16] [--each 313] [--runs 3]; the first run includes compilation.
import { parseArgs } from 'node:util'
import { SECRET } from '../test/channels/webhook/support/fixtures.ts'
import { startSink } from '../test/runtimes/support/sink.ts'
import { makePeople } from '../test/support/fixtures.ts'
import { startShards } from '../test/support/workerd/shards.ts'

const { values } = parseArgs({
  options: {
    shards: { type: 'string', default: '16' },
    each: { type: 'string', default: '313' },
    runs: { type: 'string', default: '3' },
  },
})
const count = Number(values.shards)
const each = Number(values.each)
/** Longer than it takes to create the people. */
const LEAD_MS = 10_000
/** A run of a shard ends two seconds after its last event. */
const PAUSE_MS = 3_000

const sink = await startSink()
const shards = await startShards({
  WEBHOOK_URL: sink.url,
  WEBHOOK_SECRET: SECRET,
  ALLOW_PRIVATE_TARGETS: 'true',
  SHARDS: String(count),
  LOG_LEVEL: 'error',
})
try {
  for (let run = 1; run <= Number(values.runs); run++) {
    sink.arrivals.length = 0
    const targetAt = Date.now() + LEAD_MS
    for (let index = 0; index < count; index++)
      await shards.storeOf(index).createUsers(makePeople(each, () => ({ targetAt })))
    if (Date.now() > targetAt) throw new Error('The people were created too late. Use fewer.')
    await sink.waitFor(count * each)
    const late = sink.arrivals.map(({ at }) => at - targetAt).sort((a, b) => a - b)
    const part = (share: number) => `${(late[Math.ceil(share * late.length) - 1]! / 1000).toFixed(2)} s`
    console.log(
      `run ${run}, ${late.length} events: first ${part(0.0001)}, median ${part(0.5)}, p99 ${part(0.99)}`,
    )
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  for (const line of shards.output) console.log(line)
} finally {
  await shards.stop()
  await sink.close()
}
