// A worker dies or stalls with claimed events: another worker claims them once after the lease expires.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { expectAllSettled, expectOneBodyPerKey, query } from '../../stores/postgres/support/audit.ts'
import { createDuePeople } from '../../stores/postgres/support/due-people.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { linesSaying } from '../../stores/postgres/support/processes.ts'
import { until } from '../../support/until.ts'

const stage = useStage()
const LEASE = { LEASE_MS: '1000' }
const STALE = 'Claims lost to another worker or to a deletion; nothing was written'

async function firstLeaseEnd(): Promise<number> {
  const rows = await query<{ at: number }>(
    stage.database(),
    'SELECT (extract(epoch FROM min(lease_until)) * 1000)::float8 AS at FROM terce.events',
  )
  return rows[0]!.at
}

describe('a worker on PostgreSQL', () => {
  it('extends its leases while it lives, and loses its events to another worker after kill -9', async () => {
    const { people } = await createDuePeople(await stage.open(), 50)
    const silent = await stage.sink(() => {})
    const PATIENT = { WEBHOOK_TIMEOUT_MS: '120000' }
    const holder = await stage.terce('worker', { ...LEASE, ...PATIENT, WEBHOOK_URL: silent.url })
    await silent.waitFor(people.length)
    const receiver = await stage.sink()
    await stage.terce('worker', { ...LEASE, WEBHOOK_URL: receiver.url })
    const leased = await firstLeaseEnd()
    await until('two leases later', firstLeaseEnd, (at) => at > leased + 2_000)
    expect(receiver.arrivals).toEqual([])

    await holder.end('SIGKILL')
    await receiver.waitFor(people.length)
    const settled = 'SELECT count(*)::int AS count FROM terce.settled_events'
    await until(
      'all settled',
      async () => (await query<{ count: number }>(stage.database(), settled))[0]!.count,
      (count) => count === people.length,
    )
    const { lostClaims } = await expectAllSettled(stage.database(), people.length)
    expect(lostClaims).toBe(people.length)
    expectOneBodyPerKey([...silent.arrivals, ...receiver.arrivals], people.length)
    expect(receiver.arrivals).toHaveLength(people.length)
  })

  it('that was stopped past its lease settles nothing when it continues, and logs that in one line', async () => {
    const { people } = await createDuePeople(await stage.open(), 1)
    const eventId = people[0]!.events[0]!.id
    const answers: ServerResponse[] = []
    const holding = await stage.sink((response) => answers.push(response))
    const stale = await stage.terce('worker', { ...LEASE, WEBHOOK_URL: holding.url })
    await holding.waitFor(1)
    stale.signal('SIGSTOP')

    const receiver = await stage.sink()
    const other = await stage.terce('worker', { ...LEASE, WEBHOOK_URL: receiver.url })
    await receiver.waitFor(1)
    const settled = () => query(stage.database(), 'SELECT * FROM terce.settled_events')
    const [before] = await until('settled by the other', settled, (rows) => rows.length === 1)
    expect(before).toMatchObject({ id: eventId, status: 'COMPLETED', version: 4 })

    answers[0]!.end('ok')
    stale.signal('SIGCONT')
    await until(
      'the log line',
      () => linesSaying(stale, STALE).length,
      (count) => count > 0,
    )
    expect(await stale.end('SIGTERM')).toBe(0)
    expect(linesSaying(stale, STALE)).toMatchObject([
      { level: 'warn', count: 1, claims: [{ eventId, expectedVersion: 2 }] },
    ])
    expect(linesSaying(stale, '"delivered":1')).toEqual([])
    expect(linesSaying(other, STALE)).toEqual([])
    expect(await settled()).toEqual([before])
    await expectAllSettled(stage.database(), 1)
    expectOneBodyPerKey([...holding.arrivals, ...receiver.arrivals], 1)
  })
})
