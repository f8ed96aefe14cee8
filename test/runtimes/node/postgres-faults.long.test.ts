// The connection to PostgreSQL breaks while events are due: the process keeps running, and no event is lost.
import { describe, expect, it } from 'vitest'
import { startDatabaseProxy } from '../../chaos/support/database-proxy.ts'
import { countDue, expectAllSettled, expectOneBodyPerKey } from '../../stores/postgres/support/audit.ts'
import { createDuePeople } from '../../stores/postgres/support/due-people.ts'
import { useOwnServer } from '../../stores/postgres/support/postgres-suite.ts'
import { linesSaying } from '../../stores/postgres/support/processes.ts'
import { until } from '../../support/until.ts'
import { startProxy } from '../support/proxy.ts'

const stage = useOwnServer()

/** Responds slowly, so that many events are still open when the connection breaks. */
const slowly = () => stage.sink((response) => setTimeout(() => response.end('ok'), 20))

const PATIENT = { LEASE_MS: '1000', CONCURRENCY: '16', RETRY: Array(20).fill('200ms').join(',') }

describe('terce on PostgreSQL', () => {
  it('survives a crash of the database: not ready during it, ready after it, no event lost', async () => {
    const { people } = await createDuePeople(await stage.open(), 1_500)
    const receiver = await slowly()
    const running = await stage.terce('all', { ...PATIENT, WEBHOOK_URL: receiver.url })
    stage.atEnd(() => stage.server().restart())
    const readiness = async () => {
      const response = await fetch(`${running.url}/readyz`).catch(() => null)
      return running.alive() ? response?.status : `gone: ${running.output().slice(-1_000)}`
    }
    expect(await readiness()).toBe(200)
    for (const arrivals of [100, 500]) {
      await receiver.waitFor(arrivals)
      await stage.server().crash()
      const meanwhile = await until('not ready', readiness, (status) => status !== 200)
      expect(meanwhile).toBe(503)
      await stage.server().restart()
      await until('ready again', readiness, (status) => status === 200)
    }
    await until(
      'all settled',
      () => countDue(stage.database()),
      (due) => due === 0,
    )
    await expectAllSettled(stage.database(), people.length)
    expectOneBodyPerKey(receiver.arrivals, people.length)
    expect(await running.end('SIGTERM')).toBe(0)
    // An error for each event in flight would be hundreds of lines.
    const failures = linesSaying(running, 'failed; retrying')
    expect(failures.length).toBeLessThan(100)
    expect(failures.length).toBeGreaterThan(0)
  })

  it('delivers every event although its connections are cut repeatedly', async () => {
    const { people } = await createDuePeople(await stage.open(), 1_500)
    const proxy = await startProxy(stage.server())
    stage.atEnd(() => proxy.close())
    const receiver = await slowly()
    const through = new URL(stage.database())
    through.port = String(proxy.port)
    const worker = await stage.terce('worker', {
      ...PATIENT,
      DATABASE_URL: through.href,
      WEBHOOK_URL: receiver.url,
    })
    for (const cutAt of [50, 200, 400, 700, 1_000]) {
      await until(
        'more arrivals',
        () => (worker.alive() ? receiver.arrivals.length : worker.output().slice(-1_000)),
        (arrived) => typeof arrived === 'string' || arrived >= cutAt,
      )
      expect(worker.alive(), worker.output().slice(-1_000)).toBe(true)
      await until('connected', proxy.open, (open) => open > 0)
      proxy.cut()
    }
    await until(
      'all settled',
      () => countDue(stage.database()),
      (due) => due === 0,
    )
    expect(worker.alive()).toBe(true)
    await expectAllSettled(stage.database(), people.length)
    expectOneBodyPerKey(receiver.arrivals, people.length)
  })

  it('ends after SIGTERM although the database is silent and outcomes are not written', async () => {
    const { people } = await createDuePeople(await stage.open(), 200)
    const proxy = await startDatabaseProxy(stage.server())
    stage.atEnd(() => proxy.close())
    const receiver = await slowly()
    const through = new URL(stage.database())
    through.port = String(proxy.port)
    const env = { ...PATIENT, DATABASE_URL: through.href, WEBHOOK_URL: receiver.url }
    const worker = await stage.terce('worker', env)
    await receiver.waitFor(20)
    proxy.silence(1, () => 0)
    expect(await worker.end('SIGTERM')).toBe(1)
    expect(worker.output()).toContain('Stopped before everything was written.')
    // Another worker sends what is left.
    await stage.terce('worker', { ...PATIENT, WEBHOOK_URL: receiver.url })
    await until(
      'all settled',
      () => countDue(stage.database()),
      (due) => due === 0,
    )
    await expectAllSettled(stage.database(), people.length)
  })

  it('is notified of new events again after its LISTEN connection was cut', async () => {
    const proxy = await startProxy(stage.server())
    stage.atEnd(() => proxy.close())
    const receiver = await stage.sink()
    const listening = new URL(stage.database())
    listening.port = String(proxy.port)
    await stage.terce('worker', { DATABASE_LISTEN_URL: listening.href, WEBHOOK_URL: receiver.url })
    await until('listens', proxy.open, (open) => open === 1)
    proxy.cut()
    await until('cut', proxy.open, (open) => open === 0)
    await until('listens again', proxy.open, (open) => open === 1)
    const store = await stage.open()
    await createDuePeople(store, 1)
    const announcedAt = Date.now()
    await until(
      'a notification',
      async () => {
        await store.announce(announcedAt)
        return receiver.arrivals.length
      },
      (arrivals) => arrivals === 1,
    )
  })
})
