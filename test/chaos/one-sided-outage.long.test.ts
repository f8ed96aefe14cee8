// An outage that one worker alone sees: the receiver responds to the others.
import { expect, it } from 'vitest'
import { query } from '../stores/postgres/support/audit.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { makePeople, SECOND } from '../support/fixtures.ts'
import { until } from '../support/until.ts'

const stage = useStage()

const PEOPLE = 300
/** Much longer than a probe of each worker takes, a second apart. */
const DOWN_FOR_MS = 10 * SECOND

/** The NODE_OPTIONS of a worker for which the port is closed. */
function withoutPort(port: string): string {
  const script = `import { Socket } from 'node:net'
    const { connect } = Socket.prototype
    Socket.prototype.connect = function (...args) {
      const [options] = args.flat()
      if (options.port == ${port}) options.port = 9
      return connect.apply(this, args)
    }`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}

it('a worker that alone cannot reach the receiver loses and doubles nothing, and stops the others only until their next probe', async () => {
  const store = await stage.open()
  const sink = await stage.sink()
  const env = { WEBHOOK_URL: sink.url }
  await Promise.all([
    stage.terce('worker', { ...env, NODE_OPTIONS: withoutPort(new URL(sink.url).port) }),
    stage.terce('worker', env),
    stage.terce('worker', env),
  ])
  const from = Date.now() + SECOND
  const people = makePeople(PEOPLE, (i) => ({ targetAt: from + i * 50 }))
  await store.createUsers(people)
  const outages = new Map<number, number>()
  const lookForOutage = async () => {
    const [state] = await store.listDestinations()
    const since = state?.downSince ?? null
    if (since !== null) outages.set(since, Date.now() - since)
  }
  const settled = async () => {
    await lookForOutage()
    const { items } = await store.listEvents({ limit: PEOPLE, cursor: null, status: 'COMPLETED' })
    return items.length
  }
  await until('every message is delivered', settled, (count) => count === PEOPLE, 120 * SECOND)
  expect(outages.size).toBeGreaterThan(0)
  expect(Math.max(...outages.values())).toBeLessThan(DOWN_FOR_MS)
  const due = people.map(({ events }) => events[0]!.id)
  expect(sink.arrivals.map(({ body }) => JSON.parse(body).eventId).sort()).toEqual(due.sort())
  const failed = await query(
    stage.database(),
    `SELECT outcome FROM terce.attempts WHERE outcome <> 'RELEASED' AND outcome <> 'DELIVERED'`,
  )
  expect(failed).toEqual([])
})
