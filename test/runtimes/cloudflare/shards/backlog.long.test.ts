// A shard with more due events than it sends by itself: the queue takes a part, and its consumers settle by RPC.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECRET } from '../../../channels/webhook/support/fixtures.ts'
import { makePeople } from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { type Shards, startShards } from '../../../support/workerd/shards.ts'
import { type Sink, startSink } from '../../support/sink.ts'

let sink: Sink
let shards: Shards

beforeAll(async () => {
  sink = await startSink()
  shards = await startShards({
    WEBHOOK_URL: sink.url,
    WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_TARGETS: 'true',
    SHARDS: '1',
  })
})
afterAll(async () => {
  await shards.stop()
  await sink.close()
})

it('hands a backlog above a thousand events to the queue, and delivers each event once', async () => {
  const store = shards.storeOf(0)
  const targetAt = Date.now() + 2_000
  await store.createUsers(makePeople(1_500, () => ({ targetAt })))
  await until(
    'all events are settled',
    async () =>
      (
        await shards.ask<unknown[][]>(0, 'read', `SELECT count(*) FROM events WHERE status = 'COMPLETED'`)
      )[0]![0],
    (count) => count === 1_500,
  )
  expect(sink.arrivals).toHaveLength(1_500)
  expect(new Set(sink.arrivals.map(({ key }) => key)).size).toBe(1_500)
  const { queued } = await shards.ask<{ queued: number }>('isolate', 'counts')
  expect(queued).toBeGreaterThan(0)
  expect(queued).toBeLessThan(1_500)
})
