// The account of a shard: of its own people, page by page, by calls of the Worker and by its alarm. The lines stay here; the Worker
// gets their number by column and their commitments.
import { saveAccount } from '../../../app/ledger/close-days.ts'
import { linesOf } from '../../../app/ledger/stored-day.ts'
import { ACCOUNTED } from '../../../domain/ledger/day.ts'
import type { EntryOf, JournalKind } from '../../../domain/ledger/journal.ts'
import { countLine, noCounts } from '../../../domain/ledger/line.ts'
import { joinBytes, packLeaf } from '../../../domain/ledger/packed-leaves.ts'
import { sleep } from '../../../engine/timing.ts'
import type { LedgerDay, Store } from '../../../ports/store.ts'
import { beginAccount } from '../../../stores/durable-object/begin-account.ts'
import { deletionNumber } from '../../../stores/sharded/journal.ts'
import { webCryptoSigner } from '../../config/signer.ts'
import type { Home } from '../../serverless.ts'
import type { AccountPlan, ObjectContext, ShardTotals } from './object.ts'
import type { Splitting } from './splitting.ts'

/** A plan that was begun. `accountedAt`: when its last page was saved. */
type Begun = AccountPlan & { accountedAt?: number }

export type ShardAccount = {
  /** Begins the account, or continues one that was begun, for a part. False for a plan of the past. */
  begin(plan: AccountPlan): Promise<boolean>
  /**
   * Continues the account for a part, which ends when the next event is due (null: none). Returns when to go on; null if there
   * is nothing to continue. Never throws.
   */
  part(dueAt: number | null): Promise<number | null>
  /** Null if the account of the plan is not complete. */
  totals(plan: AccountPlan): Promise<ShardTotals | null>
}

const PLAN = 'account'
/** The platform ends a call after 30 s of CPU time. */
const PART_MS = 5_000
const RETRY_MS = 60_000

export function createShardAccount(
  { storage }: ObjectContext,
  splitting: Splitting,
  home: Home,
): ShardAccount {
  const { clock, telemetry } = home
  const { kv } = storage
  let running: Promise<boolean> | null = null

  const rowOf = ({ day }: AccountPlan) =>
    splitting.runOwn(async (own) => (await own.listLedgerDays({ from: day, to: day, limit: 1 }))[0]!)

  /** Two parts at once would compute each page twice. */
  async function run(plan: Begun, dueAt: number | null): Promise<boolean> {
    if (plan.accountedAt !== undefined) return true
    running ??= runPart(plan, dueAt).finally(() => {
      running = null
    })
    return running
  }

  /** At least one page. True if the account is complete. */
  async function runPart(plan: AccountPlan, dueAt: number | null): Promise<boolean> {
    const until = Math.min(clock.now() + PART_MS, dueAt ?? Number.POSITIVE_INFINITY)
    const mayContinue = () => clock.now() < until && splitting.isDividedBy(plan.shards)
    const deps = { ...home, store: storeFor(home, splitting, plan), signer: webCryptoSigner }
    for (;;) {
      const row = await rowOf(plan)
      if (row.cursor === ACCOUNTED) break
      if ((await saveAccount(deps, row, { mayContinue })) === 'stopped') return false
    }
    kv.put(PLAN, { ...plan, accountedAt: clock.now() })
    return true
  }

  return {
    async begin(plan) {
      // It may be a part of an earlier plan.
      while (running !== null) await running.catch(() => {})
      const known = kv.get<Begun>(PLAN)
      const order = known === undefined ? 1 : comparePlans(plan, known)
      if (order < 0 || !splitting.isDividedBy(plan.shards)) return false
      if (order > 0)
        storage.transactionSync(() => {
          beginAccount(storage, plan.day, clock.now())
          kv.put(PLAN, withOwnEnd(plan, known))
        })
      return run(kv.get<Begun>(PLAN)!, null)
    },
    async part(dueAt) {
      const plan = kv.get<Begun>(PLAN)
      if (plan === undefined || plan.accountedAt !== undefined || !splitting.isDividedBy(plan.shards))
        return null
      try {
        return (await run(plan, dueAt)) ? null : clock.now()
      } catch (error) {
        telemetry({ kind: 'error', operation: 'close-day', error, retryInMs: RETRY_MS })
        return clock.now() + RETRY_MS
      }
    },
    totals: (plan) =>
      splitting.runOwn(async (own) => {
        const known = kv.get<Begun>(PLAN)
        if (known?.accountedAt === undefined || comparePlans(plan, known) !== 0) return null
        if (!splitting.isDividedBy(plan.shards)) return null
        const [row] = await own.listLedgerDays({ from: plan.day, to: plan.day, limit: 1 })
        return readTotals(own, row!)
      }),
  }
}

/** After a doubling the account of the day begins again; an earlier plan is one of a caller that does not know of it. */
function comparePlans(a: AccountPlan, b: AccountPlan): number {
  return a.day === b.day ? a.shards - b.shards : Date.parse(a.day) - Date.parse(b.day)
}

/** An erasure after the end of the account of this shard is one of the next day, also before the other shards had ended. */
function withOwnEnd(plan: AccountPlan, known: Begun | undefined): AccountPlan {
  const { previous } = plan
  if (previous === null || known?.accountedAt === undefined || known.day !== previous.day) return plan
  return { ...plan, previous: { ...previous, closedAt: known.accountedAt } }
}

async function readTotals(own: Store, { day, people }: LedgerDay): Promise<ShardTotals> {
  const counts = noCounts()
  const leaves: Uint8Array[] = []
  for await (const line of linesOf(own, day)) {
    countLine(counts, line)
    leaves.push(packLeaf(line))
  }
  return { counts, people, leaves: joinBytes(leaves) }
}

/**
 * The store of the account: the own people, and what the plan has of the registry. The clock of the platform stands still until an
 * I/O operation ends, and a statement of an object is none: a timer before each page lets it go on, and lets calls pass.
 */
function storeFor({ clock, store }: Home, { runOwn }: Splitting, plan: AccountPlan): Store {
  return {
    ...store,
    async readAccounts(of) {
      await sleep(clock, 0)
      return runOwn((own) => own.readAccounts(of))
    },
    async listVanished(of) {
      await sleep(clock, 0)
      return runOwn((own) => own.listVanished(of))
    },
    saveAccountPage: (page) => runOwn((own) => own.saveAccountPage(page)),
    listLedgerDays: async () => (plan.previous === null ? [] : [plan.previous]),
    async readJournal<K extends JournalKind>(of: { kinds: readonly K[]; from: number }) {
      if (of.kinds.includes('limits-changed' as K)) return plan.limits as unknown as EntryOf<K>[]
      const entries = await runOwn((own) => own.readJournal(of))
      const isDeletion = of.kinds.includes('person-deleted' as K)
      return isDeletion
        ? entries.map((entry) => ({ ...entry, number: deletionNumber(entry.number, plan.index) }))
        : entries
    },
  }
}
