// Moves the backlog of a destination that has no room out of the way of the others: its due events are parked many at a time,
// unclaimed and unrendered, and claims leave them out meanwhile. Otherwise each is claimed, rendered and parked before events of
// others that fell due after it.
import type { EventStore, NamedChannels } from '../../ports/store.ts'
import type { EngineDeps } from '../engine-deps.ts'
import type { Admission } from './admission.ts'
import type { Destinations } from './destinations.ts'

type Backlog = {
  /** The last event of the destination that was parked. */
  park: Admission & { kind: 'park' }
  /** When it was found: events that wake later are left to the claims. */
  at: number
  isNew: boolean
}

export type Deferrals = {
  /** What became of a batch of events. `isFull`: more may be due. */
  onBatch(admissions: readonly Admission[], isFull: boolean): void
  /** The channels that a claim leaves out. */
  except(): NamedChannels | undefined
  /** Parks some of each backlog, beside a claim for the other channels. False if there is none. */
  next(): Promise<boolean>
}

/** Events in one statement, which takes about a tenth of a second. */
const SLICE = 10_000
/** Claims leave out a destination no longer than this, so that its own queue never runs empty. */
const LONGEST_MS = 2_000
/** Events that nothing wakes wait so long at least. */
const WAIT_MS = 30_000
/** Those of one slice wake over so long, if the destination takes events: the first that is sent has the others woken. */
const LIMIT_SPREAD_MS = 600_000

export function createDeferrals(
  {
    store,
    clock,
    destinations,
  }: Pick<EngineDeps, 'clock'> & {
    store: Pick<EventStore, 'deferDue'>
    destinations: Pick<Destinations, 'of'>
  },
  { workerId: claimedBy, types }: { workerId: string; types?: readonly string[] | undefined },
): Deferrals {
  /** By the id of the destination. */
  const backlogs = new Map<string, Backlog>()
  /** When the last event that was parked for a destination wakes by itself: the next slice wakes after it, or more would wake than can be sent. */
  const spreads = new Map<string, { until: number; setAt: number }>()

  const namesOf = (id: string): NamedChannels => (destinations.of(null).id === id ? [id, null] : [id])

  /** Returns whether more may be left. */
  async function deferSlice(backlog: Backlog): Promise<boolean> {
    const { park, at: now } = backlog
    const { id: channelId } = park.destination
    const due = { of: namesOf(channelId), channelId, claimedBy, types, now, limit: SLICE }
    // They are woken when there is room. Spread in case nothing wakes them.
    const waitMs = Math.max(WAIT_MS, (park.until - now) / 2)
    const perSecond = (SLICE * 1000) / (park.forLimit ? LIMIT_SPREAD_MS : waitMs)
    const setAt = clock.now()
    const last = spreads.get(channelId)
    // Not one from before the clock was set back.
    const after = last !== undefined && last.setAt <= setAt ? last.until : 0
    const firstAt = Math.ceil(Math.max(after, setAt + waitMs))
    const deferred = await store.deferDue({ ...due, firstAt, perSecond })
    spreads.set(channelId, { until: firstAt + (deferred * 1000) / perSecond, setAt })
    return deferred === SLICE
  }

  return {
    onBatch(admissions, isFull) {
      const parks = isFull ? admissions.filter((one) => one.kind === 'park') : []
      const last = parks.at(-1)
      if (last === undefined) return
      const { id } = last.destination
      const own = parks.filter(({ destination }) => destination.id === id).length
      if (own <= admissions.length / 2) return
      // While a destination is down or held, each backlog is tried again soon.
      if (!last.forLimit) spreads.delete(id)
      backlogs.set(id, { park: last, at: clock.now(), isNew: true })
    },

    except: () => (backlogs.size === 0 ? undefined : [...backlogs.keys()].flatMap(namesOf)),

    async next() {
      const some = [...backlogs]
      for (const [id, backlog] of some) {
        const isLong = Math.abs(clock.now() - backlog.at) > LONGEST_MS
        // First a claim that leaves it out: on SQLite it would wait for the statement.
        if (backlog.isNew) backlog.isNew = false
        else if (!(await deferSlice(backlog)) || isLong) backlogs.delete(id)
      }
      return some.length > 0
    },
  }
}
