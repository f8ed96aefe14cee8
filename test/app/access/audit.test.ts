// Rejections are counted, so that a flood of them cannot fill the audit log.
import { describe, expect, it } from 'vitest'
import { createAudit } from '../../../src/app/access/audit.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { MINUTE, T0 } from '../../support/fixtures.ts'

function createBench() {
  const store = openSqliteStore(':memory:')
  const notices: Notice[] = []
  let now = T0
  let timers: { at: number; callback: () => void }[] = []
  const clock = {
    now: () => now,
    elapsedMs: () => now,
    after: (ms: number, callback: () => void) => {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      const cancel = () => {
        timers = timers.filter((other) => other !== timer)
      }
      return { cancel }
    },
  }
  const audit = createAudit({ store, clock, telemetry: (notice) => notices.push(notice) })
  function passTo(at: number): void {
    for (;;) {
      const next = timers.filter((timer) => timer.at <= at).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      timers = timers.filter((timer) => timer !== next)
      now = next.at
      next.callback()
    }
    now = at
  }
  const reject = (address: string) =>
    audit.count({
      actor: null,
      address,
      action: 'request.rejected',
      object: null,
      rejectedWith: 401,
      details: { operation: 'listUsers' },
    })
  const written = async () => {
    await audit.close()
    const entries = (await store.listAuditEntries({ limit: 1_000, before: null })).reverse()
    return entries.map(({ at, address, count }) => [(at - T0) / MINUTE, address, count])
  }
  return { audit, store, notices, passTo, skipTo: (at: number) => (now = at), reject, written }
}

describe('rejections in the audit log', () => {
  it('are at most one entry for each address and minute, with a count', async () => {
    const { passTo, reject, written } = createBench()
    for (let i = 0; i < 500; i++) await reject('192.0.2.1')
    await reject('192.0.2.2')
    passTo(T0 + 3 * MINUTE)
    await reject('192.0.2.1')
    expect(await written()).toEqual([
      [0, '192.0.2.1', 1],
      [0, '192.0.2.2', 1],
      [1, '192.0.2.1', 499],
      [3, '192.0.2.1', 1],
    ])
  })

  it('from more than a hundred addresses in a minute are counted together', async () => {
    const { passTo, reject, written } = createBench()
    for (let i = 0; i < 5_000; i++) await reject(`198.51.${i >> 8}.${i & 255}`)
    passTo(T0 + 2 * MINUTE)
    const entries = await written()
    expect(entries.length).toBeLessThanOrEqual(102)
    expect(entries.reduce((sum, [, , count]) => sum + (count as number), 0)).toBe(5_000)
  })

  it('from one IPv6 network (/64) are counted as from one address', async () => {
    const { passTo, reject, written } = createBench()
    for (let i = 0; i < 50; i++) await reject(`2001:db8::${i.toString(16)}`)
    passTo(T0 + 2 * MINUTE)
    expect((await written()).map(([, , count]) => count)).toEqual([1, 49])
  })

  it('are written by the next rejection where no timer runs between requests', async () => {
    const { skipTo, reject, written } = createBench()
    for (let i = 0; i < 3; i++) await reject('192.0.2.1')
    skipTo(T0 + 2 * MINUTE)
    await reject('192.0.2.1')
    expect(await written()).toEqual([
      [0, '192.0.2.1', 1],
      [2, '192.0.2.1', 3],
    ])
  })
})

describe('an entry of the audit log', () => {
  it('that cannot be written is reported, and does not fail the action', async () => {
    const { audit, store, notices } = createBench()
    await store.close()
    await audit.record({ actor: 'cli', address: null, action: 'key.created', object: null })
    expect(notices).toMatchObject([{ kind: 'error', operation: 'record-audit' }])
  })
})
