// The Worker closes days over shards: how many in a run, and what it does when the number of shards has changed.
import { describe, expect, it } from 'vitest'
import { checkLedger } from '../../../../src/app/ledger/check-ledger.ts'
import { noCounts } from '../../../../src/domain/ledger/line.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { closeOverShards } from '../../../../src/runtimes/cloudflare/shards/closing.ts'
import type { AccountPlan, ShardTotals } from '../../../../src/runtimes/cloudflare/shards/object.ts'
import { webCryptoSigner as signer } from '../../../../src/runtimes/config/signer.ts'
import type { Home } from '../../../../src/runtimes/serverless.ts'
import { openShards } from '../../../stores/sharded/support/open.ts'
import { DAY, T0 } from '../../../support/fixtures.ts'

const EMPTY: ShardTotals = { counts: noCounts(), people: 2, leaves: new Uint8Array() }

/** A registry, and shards whose accounts `account` decides about. The first day is that of T0. */
function openHome(account: (plan: AccountPlan) => ShardTotals | null = () => EMPTY) {
  const { store } = openShards(1)
  const clock = { now: () => T0, after: () => ({ cancel() {} }) }
  const plans: AccountPlan[] = []
  const errors: unknown[] = []
  const accountIn = async (plan: AccountPlan) => {
    plans.push(plan)
    return account(plan)
  }
  const home = {
    store,
    clock,
    planner: { ids: () => '', table: tzdb },
    telemetry: (notice: { kind: string; error?: unknown }) => {
      if (notice.kind === 'error') errors.push(notice.error)
    },
    config: { lateness: new Map() },
    vault: null,
    postAlarm: null,
  } as unknown as Home
  return {
    store,
    plans,
    async run(shards: number, days = 0): Promise<void> {
      clock.now = () => T0 + days * DAY
      await closeOverShards(home, accountIn, { shards, calls: 2 * shards })
      expect(errors).toEqual([])
    },
    closed: async () =>
      (await store.listLedgerDays({ limit: 100 })).filter(({ closedAt }) => closedAt !== null).reverse(),
  }
}

describe('a run over shards', () => {
  it.each([
    [256, 1],
    [128, 5],
    [16, 19],
    [1_024, 1],
  ])('of %i shards closes %i of 19 days that have ended, in order', async (shards, count) => {
    const { run, plans, closed, store } = openHome()
    await run(shards)
    expect(plans).toEqual([])
    await run(shards, 20)
    const days = await closed()
    expect(days).toHaveLength(count)
    expect(days[0]).toMatchObject({ day: '2020-06-01', people: 2 * shards })
    expect(plans).toHaveLength(count * shards)
    expect(new Set(plans.map(({ index }) => index)).size).toBe(shards)
    expect(await checkLedger({ store, signer }, 100)).toEqual([])
    await store.close()
  })

  it('gives each shard the day before and the limits of lateness', async () => {
    const { run, plans, store } = openHome()
    await run(2)
    await run(2, 3)
    expect(plans.map(({ day, previous, limits }) => [day, previous?.day, limits.length])).toEqual([
      ...Array(2).fill(['2020-06-01', undefined, 1]),
      ...Array(2).fill(['2020-06-02', '2020-06-01', 1]),
    ])
    await store.close()
  })

  it('closes no day while a shard has not ended its account', async () => {
    let isReady = false
    const { run, closed, store } = openHome(({ index }) => (index === 1 && !isReady ? null : EMPTY))
    await run(4)
    await run(4, 2)
    expect(await closed()).toEqual([])
    isReady = true
    await run(4, 2)
    expect(await closed()).toMatchObject([{ day: '2020-06-01', people: 8 }])
    await store.close()
  })

  it('begins the account again with a doubled number, and a run that knows only the earlier number waits', async () => {
    let isReady = false
    const { run, plans, closed, store } = openHome(() => (isReady ? EMPTY : null))
    await run(2)
    await run(2, 2)
    await run(4, 2)
    isReady = true
    plans.length = 0
    await run(2, 2)
    expect(plans).toEqual([])
    expect(await closed()).toEqual([])
    await run(4, 2)
    expect(await closed()).toMatchObject([{ people: 8 }])
    await store.close()
  })

  it('does not seal a day whose account was begun again with a doubled number meanwhile', async () => {
    let restart: (() => Promise<unknown>) | null = null
    const opened = openHome(() => {
      void restart?.()
      restart = null
      return EMPTY
    })
    const { run, closed, store } = opened
    await run(2)
    const page = { day: '2020-06-01', from: 'shards 2', to: 'shards 4', people: 0, lines: [], newlySeen: [] }
    restart = () => store.saveAccountPage(page)
    await run(2, 2)
    expect(await closed()).toEqual([])
    await run(4, 2)
    expect(await closed()).toMatchObject([{ people: 8 }])
    await store.close()
  })
})
