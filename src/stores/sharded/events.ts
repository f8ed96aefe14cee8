// Events: references are split by the bucket of their id. Each shard has its own engine, which claims and replans there.
import type { Settlement, SettleResult } from '../../ports/claim.ts'
import type { EventStore, HistoryStore, Overdue, Store } from '../../ports/store.ts'
import { type Routes, sum } from './routes.ts'

type Events = Omit<EventStore, 'listOpenPlans'> &
  Omit<HistoryStore, 'listEvents'> &
  Pick<Store, 'saveReplanCursor'>

export function eventOperations({ of, each, split, upTo }: Routes): Events {
  const idOf = ({ eventId }: { eventId: string }) => eventId
  const itself = (eventId: string) => eventId
  return {
    claimDue: () => inEachShard('claims'),
    listOutdatedPlans: () => inEachShard('replans'),
    saveReplanCursor: () => inEachShard('replans'),

    readClaims: async (refs) => (await split(refs, idOf, (store, some) => store.readClaims(some))).flat(),
    extendLeases: async (refs, lease) =>
      (await split(refs, idOf, (store, some) => store.extendLeases(some, lease))).flat(),
    confirmClaims: async (refs) =>
      (await split(refs, idOf, (store, some) => store.confirmClaims(some))).flat(),
    settle: async (settlements) =>
      together(await split<Settlement, SettleResult>(settlements, idOf, (store, some) => store.settle(some))),
    replan: async (reschedules, at) =>
      (await split(reschedules, idOf, (store, some) => store.replan(some, at))).flat(),
    replay: async (replays) =>
      (
        await split(
          replays,
          (replay) => replay.of,
          (store, some) => store.replay(some),
        )
      ).flat(),
    replayOutlook: async (eventIds) =>
      (await split(eventIds, itself, (store, some) => store.replayOutlook(some))).flat(),

    wakeParked: (parked) => upTo(parked.limit, (store, limit) => store.wakeParked({ ...parked, limit })),
    nextWakeAt: async () => least(await each((store) => store.nextWakeAt())),
    async countOverdue(now): Promise<Overdue> {
      const parts = await each((store) => store.countOverdue(now))
      return {
        count: sum(parts.map(({ count }) => count)),
        oldestAt: least(parts.map(({ oldestAt }) => oldestAt)),
        newestAt: greatest(parts.map(({ newestAt }) => newestAt)),
      }
    },

    findEvent: (eventId) => of(eventId).findEvent(eventId),
    listMoves: (event) => of(event.id).listMoves(event),

    prune: ({ before, limit }) => upTo(limit, (store, left) => store.prune({ before, limit: left })),
    async pruneMonths(before, onMonth) {
      let isStopped = false
      const report = (removed: number) => {
        isStopped ||= onMonth(removed)
        return isStopped
      }
      await each(async (store) => (isStopped ? undefined : store.pruneMonths(before, report)))
    },
    async createMonths() {
      await each((store) => store.createMonths())
    },
    countPrunable: async (before) => sum(await each((store) => store.countPrunable(before))),
  }
}

function inEachShard(what: string): Promise<never> {
  return Promise.reject(new Error(`Each shard ${what} its own events.`))
}

function together(results: readonly SettleResult[]): SettleResult {
  return {
    settled: results.flatMap(({ settled }) => settled),
    stale: results.flatMap(({ stale }) => stale),
    replan: results.flatMap(({ replan }) => replan),
  }
}

function least(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((at) => at !== null)
  return known.length === 0 ? null : Math.min(...known)
}

function greatest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((at) => at !== null)
  return known.length === 0 ? null : Math.max(...known)
}
