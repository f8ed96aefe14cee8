// The events that are ready to be sent, one queue for each destination: an outage or a limit at one destination holds up
// neither the others nor the store. Which event may go, and how many are claimed, is decided in lanes.ts.
import type { LaneLimits } from '../../domain/events/lane.ts'
import type { ReadyClaim } from '../../ports/claim.ts'
import type { Clock } from '../../ports/clock.ts'
import { type BreakerSettings, createBreaker, type FailedSend } from './circuit-breaker.ts'
import type { Destination, Destinations } from './destinations.ts'
import { isBlocked, isLimited, lanesFor, mayStart, type Room, roomOf, type Traffic } from './lanes.ts'
import { createLimiter, type LimiterDeps } from './limits/limiter.ts'
import { createProbes, type Probes } from './probes.ts'
import { type Cause, createSuspects, type Suspects } from './suspects.ts'

/** What a send shows about its destination; `unknown` if it was aborted, never started, or shows nothing. */
export type SendOutcome =
  | { kind: 'success' | 'unknown' }
  | ({ kind: 'failure' } & Omit<FailedSend, 'eventId' | 'inFlight'>)

/** What a claim may take. `capacity`: how many events the process can use. */
type Demand = { capacity: number; backlog: ReadonlySet<number>; limit: number }

export type DestinationQueues = Probes & {
  add(claim: ReadyClaim): void
  /** A queue whose first event may be sent now, or null. The queues take turns. */
  ready(now: number): ReadyQueue | null
  /** Takes the first event off its queue, to be sent. */
  start(queue: ReadyQueue): ReadyClaim
  /** The events that can start within about a second, as far as their destinations decide that: the first `most` of each. */
  soon(most: number): ReadyClaim[]
  /** Whether one of the events that get their turn under a rate limit soon is meant. */
  hasNextInTurn(isMeant: (claim: ReadyClaim) => boolean): boolean
  /** Leases what the queues need of the limits of their destinations. */
  requestLimits(now: number): void
  /** Empties the queues of destinations that are down, held or disabled. */
  takeBlocked(now: number): ReadyClaim[]
  /** The lanes of a claim. */
  lanes(demand: Demand, now: number): LaneLimits
  /** A send that `start` began has ended. Returns what a failure is attributed to. */
  onEnd(claim: ReadyClaim, result: SendOutcome, now: number): Cause
  /** How many events wait only for a free slot; or how many wait at a destination with a limit of its own. */
  backlog(now: number, limited?: boolean): number
  /** Empties every queue. */
  takeAll(): ReadyClaim[]
  /** Stops leasing limits until the next event or send. */
  close(): void
  returnSlots(): Promise<void>
}

/** `waiting` is not empty. */
type ReadyQueue = Pick<Queue, 'waiting'>

type Queue = Traffic & { destination: Destination; suspects: Suspects }

export function createDestinationQueues(deps: {
  destinations: Destinations
  clock: Clock
  breaker: BreakerSettings
  limiter: LimiterDeps
  /** Of events without a channel, only those of these types are claimed. */
  types?: readonly string[] | undefined
  /** How long another process leaves a claimed probe to this one. */
  probeMs: number
}): DestinationQueues {
  const { destinations, clock, types, probeMs } = deps
  const { states } = destinations
  const queues = new Map<string, Queue>()
  /** The queue that each event in flight came from: the default channel may change before the send ends. */
  const inFlight = new Map<ReadyClaim, Queue>()
  let defaultId = destinations.of(null).id

  const destinationOf = ({ occasion }: ReadyClaim) => destinations.of(occasion.channelId)

  function queueOf(destination: Destination): Queue {
    let queue = queues.get(destination.id)
    if (queue === undefined) {
      queue = {
        destination,
        waiting: [],
        inFlight: 0,
        breaker: createBreaker(deps.breaker, states, destination.id),
        limiter: createLimiter(deps.limiter, destination.id),
        suspects: createSuspects(),
      }
      queues.set(destination.id, queue)
    }
    queue.destination = destination
    return queue
  }

  /** Moves the events that name no channel to another queue when the default channel changes. */
  function followDefault(): void {
    const { id } = destinations.of(null)
    if (id === defaultId) return
    defaultId = id
    const moving: ReadyClaim[] = []
    for (const queue of queues.values()) {
      const usesDefault = ({ occasion }: ReadyClaim) => occasion.channelId === null
      moving.push(...queue.waiting.filter(usesDefault))
      queue.waiting = queue.waiting.filter((claim) => !usesDefault(claim))
    }
    for (const claim of moving) queueOf(destinationOf(claim)).waiting.push(claim)
  }

  /** Destinations without a limit share the capacity of the process. */
  function roomsFor(capacity: number, now: number): Room[] {
    const busy = [...queues.values()].filter((queue) => queue.waiting.length > 0)
    const sharing = busy.filter((queue) => !isLimited(queue.destination, queue, now)).length
    const share = capacity / Math.max(1, sharing)
    return destinations.list().map((destination) => {
      return { destination, events: roomOf(destination, queueOf(destination), { now, capacity: share }) }
    })
  }

  return {
    ...createProbes({ destinations, clock, types, probeMs, trafficOf: queueOf }),

    add(claim) {
      followDefault()
      queueOf(destinationOf(claim)).waiting.push(claim)
    },

    ready(now) {
      followDefault()
      for (const queue of queues.values())
        if (queue.waiting.length > 0 && mayStart(destinationOf(queue.waiting[0]!), queue, now)) return queue
      return null
    },

    start(ready) {
      const queue = ready as Queue
      const claim = queue.waiting.shift()!
      queue.limiter.onStart()
      queue.inFlight += 1
      inFlight.set(claim, queue)
      // Round robin: the queue goes to the end of the map.
      if (queues.size > 1) {
        queues.delete(queue.destination.id)
        queues.set(queue.destination.id, queue)
      }
      return claim
    },

    soon: (most) =>
      [...queues.values()].flatMap(({ waiting, destination }) =>
        waiting.slice(0, Math.ceil(Math.min(most, destination.limits.perSecond ?? most))),
      ),

    hasNextInTurn(isMeant) {
      for (const { waiting, limiter } of queues.values())
        if (waiting.length > 0 && limiter.hasTurnSoon() && isMeant(waiting[0]!)) return true
      return false
    },

    requestLimits(now) {
      for (const queue of queues.values()) {
        const { waiting, inFlight, limiter } = queue
        // Its limits may have changed since the event was claimed.
        if (waiting.length > 0) queue.destination = destinationOf(waiting[0]!)
        const most = isBlocked(queue.destination, queue, now) ? 0 : waiting.length
        limiter.request(queue.destination.limits, { waiting: most, inFlight })
      }
    },

    takeBlocked(now) {
      followDefault()
      return [...queues.values()].flatMap((queue) => {
        const [first] = queue.waiting
        return first !== undefined && isBlocked(destinationOf(first), queue, now)
          ? queue.waiting.splice(0)
          : []
      })
    },

    lanes({ capacity, backlog, limit }, now) {
      const byDefault = destinations.of(null)
      return lanesFor({ rooms: roomsFor(capacity, now), byDefault, backlog, limit, types })
    },

    onEnd(claim, result, now) {
      const queue = inFlight.get(claim) ?? queueOf(destinationOf(claim))
      // Idempotent: the sender reports a send twice if the attempt throws after the first report.
      if (inFlight.delete(claim)) queue.inFlight -= 1
      if (result.kind === 'success') {
        queue.suspects.onSuccess(claim.id)
        queue.breaker.onSuccess(now)
      }
      if (result.kind !== 'failure') return 'event'
      queue.breaker.onFailure(now, { ...result, eventId: claim.id, inFlight: queue.inFlight })
      const isOpen = queue.breaker.allowance(now) === 0
      return queue.suspects.causeOf({ eventId: claim.id, responded: result.responded, isOpen })
    },

    backlog(now, limited = false) {
      let count = 0
      for (const queue of queues.values())
        if (isLimited(queue.destination, queue, now) === limited) count += queue.waiting.length
      return count
    },

    takeAll: () => [...queues.values()].flatMap(({ waiting }) => waiting.splice(0)),

    close() {
      for (const { limiter } of queues.values()) limiter.close()
    },

    async returnSlots() {
      for (const { limiter, destination } of queues.values()) await limiter.returnSlots(destination.limits)
    },
  }
}
