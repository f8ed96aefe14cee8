// Accounts for a day in every shard, and brings their totals together.
import type { Account } from '../../../app/ledger/close-days.ts'
import { dayName } from '../../../domain/ledger/day.ts'
import { type LedgerCounts, noCounts } from '../../../domain/ledger/line.ts'
import { joinBytes, rootOfPacked } from '../../../domain/ledger/packed-leaves.ts'
import { DAY_MS } from '../../../domain/time/calendar.ts'
import type { Store } from '../../../ports/store.ts'
import { inParallel } from '../../../stores/sharded/routes.ts'
import { closeLedger, type Home } from '../../serverless.ts'
import type { AccountPlan, ShardTotals } from './object.ts'

/**
 * The cursor of the day is the number of shards that its account was begun with. The day is closed only at this cursor, so that
 * the account of a doubled number, which begins again, is not sealed with the totals of the one before.
 */
const CURSOR = /^shards (\d+)$/

const COUNTS = Object.keys(noCounts()) as (keyof LedgerCounts)[]

/** The calls of objects that a Worker may make in one invocation. */
const MOST_CALLS = 1_000
/** Of the registry, for each day. */
const CALLS_OF_DAY = 10

/** Calls the shard that the plan names. */
type AccountIn = (plan: AccountPlan) => Promise<ShardTotals | null>

/** Closes one day, and further ones while the calls of all shards fit. `calls`: those that the invocation has made. */
export async function closeOverShards(
  home: Home,
  accountIn: AccountIn,
  { shards, calls }: { shards: number; calls: number },
): Promise<void> {
  const account = accountOverShards(home.store, accountIn, shards)
  const callsOfDay = shards + CALLS_OF_DAY
  let made = calls
  const mayContinue = () => made === calls || made + callsOfDay <= MOST_CALLS
  await closeLedger(home, mayContinue, {
    account(day) {
      made += callsOfDay
      return account(day)
    },
  })
}

/** `store` is the one over all shards. */
function accountOverShards(store: Store, accountIn: AccountIn, shards: number): Account {
  return async ({ day, cursor: from }) => {
    const cursor = `shards ${shards}`
    if (Number(CURSOR.exec(from ?? '')?.[1] ?? 0) > shards) return 'stopped'
    const begun = { day, from, to: cursor, people: 0, lines: [], newlySeen: [] }
    if (from !== cursor && !(await store.saveAccountPage(begun))) return 'lost'
    const before = dayName(Date.parse(day) - DAY_MS)
    const [previous = null] = await store.listLedgerDays({ from: before, to: before, limit: 1 })
    const limits = await store.readJournal({ kinds: ['limits-changed'], from: 0 })
    const indexes = [...Array(shards).keys()]
    const parts = await inParallel(indexes, (index) => accountIn({ day, shards, index, previous, limits }))
    const complete = parts.filter((part) => part !== null)
    if (complete.length < shards) return 'stopped'
    const counts = noCounts()
    for (const part of complete) for (const name of COUNTS) counts[name] += part.counts[name]
    const people = complete.reduce((sum, part) => sum + part.people, 0)
    const root = rootOfPacked(joinBytes(complete.map(({ leaves }) => leaves)))
    return { counts, people, root, cursor }
  }
}
