// The heartbeat of a worker process.
import { describe, expect, it } from 'vitest'
import { startHeartbeat } from '../../../src/app/dashboard/heartbeat.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createTestClock, T0 } from '../../support/fixtures.ts'

function setUp() {
  const store = openSqliteStore(':memory:')
  const clock = createTestClock(T0)
  const notices: Notice[] = []
  const telemetry = (notice: Notice) => void notices.push(notice)
  return { store, clock, notices, telemetry }
}

describe('the heartbeat of a worker', () => {
  it('is recorded at the start and every ten seconds, and removed at the stop', async () => {
    const { store, clock, telemetry } = setUp()
    const heartbeat = startHeartbeat({ store, clock, telemetry }, 'host-1')
    await clock.advance(1)
    expect(await store.listWorkers(0)).toEqual([{ id: 'host-1', seenAt: T0 }])
    await clock.advance(60_000)
    expect(await store.listWorkers(0)).toEqual([{ id: 'host-1', seenAt: T0 + 60_000 }])
    await heartbeat.stop()
    await clock.advance(60_000)
    expect(await store.listWorkers(0)).toEqual([])
    await store.close()
  })

  it('goes on after the database was unavailable, and reports it', async () => {
    const { store, clock, notices, telemetry } = setUp()
    let isDown = false
    const failing = {
      ...store,
      recordWorker: (...heartbeat: Parameters<typeof store.recordWorker>) =>
        isDown ? Promise.reject(new Error('down')) : store.recordWorker(...heartbeat),
    }
    const heartbeat = startHeartbeat({ store: failing, clock, telemetry }, 'host-1')
    await clock.advance(1)
    isDown = true
    await clock.advance(20_000)
    isDown = false
    await clock.advance(20_000)
    expect(notices).toMatchObject([
      { kind: 'error', operation: 'heartbeat', retryInMs: 10_000 },
      { kind: 'error', operation: 'heartbeat', retryInMs: 10_000 },
    ])
    expect(await store.listWorkers(T0 + 30_000)).toHaveLength(1)
    await heartbeat.stop()
    await store.close()
  })
})
