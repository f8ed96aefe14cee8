// Six workers, a receiver that fails at random, and a kill -9 for every 500 requests: every event is still settled once.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { countDue, expectAllSettled, expectOneBodyPerKey } from '../../stores/postgres/support/audit.ts'
import { createDuePeople } from '../../stores/postgres/support/due-people.ts'
import { useOwnServer } from '../../stores/postgres/support/postgres-suite.ts'
import { createWorkers } from '../../stores/postgres/support/worker-pool.ts'
import { seededDice } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'

const stage = useOwnServer()

const EVENTS = 10_000
const WORKERS = 6
// Counted in requests, not in seconds: on a busy machine a worker that is killed by the clock does little but start.
const REQUESTS_PER_KILL = 500

/** One in five deliveries fails; all kinds of failure are equally frequent. */
function answerAtRandom(dice: () => number) {
  return (response: ServerResponse): void => {
    const throws = dice()
    if (throws < 0.04) response.writeHead(500).end()
    else if (throws < 0.08) response.writeHead(429, { 'retry-after': '1' }).end()
    else if (throws < 0.12) response.socket?.destroy()
    else if (throws < 0.16) setTimeout(() => response.end('ok'), 250)
    // Delivered, but the response is lost.
    else if (throws < 0.2) setTimeout(() => response.socket?.destroy(), 50)
    else response.end('ok')
  }
}

describe('six workers on one PostgreSQL', () => {
  it(`settle ${EVENTS} events once each while one of them is killed again and again`, async () => {
    await createDuePeople(await stage.open(), EVENTS)
    const dice = seededDice(20_000)
    let killed = 0
    let nextKill = REQUESTS_PER_KILL
    const answer = answerAtRandom(dice)
    const receiver = await stage.sink((response, _arrival, count) => {
      answer(response)
      if (count < nextKill || !workers.killOne(dice())) return
      killed += 1
      nextKill = count + REQUESTS_PER_KILL
    })
    const workers = createWorkers({
      DATABASE_URL: stage.database(),
      WEBHOOK_URL: receiver.url,
      LEASE_MS: '2000',
      CONCURRENCY: '64',
      RETRY: Array(30).fill('300ms').join(','),
      LOG_LEVEL: 'error',
    })
    stage.atEnd(workers.endAll)
    await Promise.all(Array.from({ length: WORKERS }, workers.start))

    await until(
      'all settled',
      () => countDue(stage.database()),
      (due) => due === 0,
      160_000,
    )
    const { failed, lostClaims } = await expectAllSettled(stage.database(), EVENTS)
    expectOneBodyPerKey(receiver.arrivals, EVENTS)
    expect(failed).toBe(0)
    expect(killed).toBeGreaterThan(10)
    expect(lostClaims).toBeGreaterThan(0)
    expect(workers.died()).toEqual([])
    expect(stage.server().log()).not.toContain('deadlock')
  }, 180_000)
})
