// The events that are ready to be sent, one queue for each destination: an outage or a limit at one destination holds up
// neither the others nor the store. Which event may go, and when, is decided in admission.ts.
import type { ReadyClaim } from '../../ports/claim.ts'
import type { Dice } from '../../ports/clock.ts'
import { type Admission, admit, isBlocked, isLimited, mayStart, parkUntil } from './admission.ts'
import { type BreakerSettings, createBreaker, type FailedSend } from './circuit-breaker.ts'
import type { Destination, Destinations } from './destinations.ts'
import { createLimiter, type LimiterDeps } from './limits/limiter.ts'
import { type DestinationLine, notWaking, type Recovery } from './recovery.ts'
import { type Cause, createSuspects, type Suspects } from './suspects.ts'

/** What a send shows about its destination; `unknown` if it was aborted, never started, or shows nothing. */
export type SendOutcome =
  | { kind: 'success' | 'unknown' }
  | ({ kind: 'failure' } & Omit<FailedSend, 'eventId' | 'inFlight'>)

export type DestinationQueues = {
  /** Queues the event, or says why not. */
  admit(claim: ReadyClaim, now: number): Admission
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
  takeRejected(now: number): { claim: ReadyClaim; admission: Admission }[]
  /** Call it between the claim and `admit`: asks the store what their destinations must be known by. */
  prepare(claims: readonly ReadyClaim[]): Promise<void>
  /** Events of the destination were parked elsewhere. */
  onParked(destination: Destination): void
  /** A send that `start` began has ended. Returns what a failure is attributed to. */
  onEnd(claim: ReadyClaim, result: SendOutcome, now: number): Cause
  /** For an attempt that failed because of its destination: when to try again. */
  parkUntil(claim: ReadyClaim, now: number): number
  /** How many events wait only for a free slot; or how many wait at a destination with a limit of its own. */
  backlog(now: number, limited?: boolean): number
  /** Empties every queue. */
  takeAll(): ReadyClaim[]
  /** Stops waking parked events and leasing limits until the next event or send. */
  close(): void
  returnSlots(): Promise<void>
}

/** `waiting` is not empty. */
type ReadyQueue = Pick<Queue, 'waiting'>

type Queue = DestinationLine & { suspects: Suspects }

export function createDestinationQueues(deps: {
  destinations: Destinations
  dice: Dice
  breaker: BreakerSettings
  recovery: Recovery
  limiter: LimiterDeps
  /** The events are those of a batch of messages. */
  isBatch?: boolean
}): DestinationQueues {
  const { destinations, dice, recovery, isBatch = false } = deps
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
        breaker: createBreaker(deps.breaker, destinations.states, destination.id),
        limiter: createLimiter(deps.limiter, destination.id),
        waking: notWaking(),
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
    recovery.wakeSlice(defaultId)
    defaultId = id
    const moving: ReadyClaim[] = []
    for (const queue of queues.values()) {
      const usesDefault = ({ occasion }: ReadyClaim) => occasion.channelId === null
      moving.push(...queue.waiting.filter(usesDefault))
      queue.waiting = queue.waiting.filter((claim) => !usesDefault(claim))
    }
    for (const claim of moving) queueOf(destinationOf(claim)).waiting.push(claim)
  }

  return {
    admit(claim, now) {
      followDefault()
      const destination = destinationOf(claim)
      const queue = queueOf(destination)
      if (claim.parkCount > 0 && queue.waking.unclaimed > 0) queue.waking.unclaimed -= 1
      const admission = admit(claim, destination, queue, { now, dice, isBatch })
      if (admission.kind === 'queue') queue.waiting.push(claim)
      if (admission.kind === 'park') recovery.onParked(queue, admission.forLimit)
      else recovery.onChange(queue)
      return admission
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
        // Its limits may have changed since the event was admitted.
        if (waiting.length > 0) queue.destination = destinationOf(waiting[0]!)
        const most = isBlocked(queue.destination, queue, now) ? 0 : waiting.length
        limiter.request(queue.destination.limits, { waiting: most, inFlight })
      }
    },

    takeRejected(now) {
      followDefault()
      recovery.onReload(queueOf)
      const rejected: { claim: ReadyClaim; admission: Admission }[] = []
      for (const queue of queues.values()) {
        if (queue.waiting.length === 0) continue
        const destination = destinationOf(queue.waiting[0]!)
        if (!isBlocked(destination, queue, now)) continue
        const claims = queue.waiting.splice(0)
        for (const claim of claims) {
          const admission = admit(claim, destination, queue, { now, dice, isBatch })
          // The wait for slots may have ended meanwhile.
          if (admission.kind === 'queue') queue.waiting.push(claim)
          else rejected.push({ claim, admission })
        }
        recovery.onParked(queue)
      }
      return rejected
    },

    async prepare(claims) {
      const wanted = () => new Set(claims.map(destinationOf))
      // Their events fail for good: a replay may follow at once after the channel was released, so its status must be newer than the
      // claim. If it cannot be read, the last known status counts.
      if ([...wanted()].some(({ status }) => status === 'DISABLED'))
        await destinations.refresh(Number.POSITIVE_INFINITY).catch(() => {})
      // If a probe is due, one of these events can be it.
      for (const destination of wanted()) await recovery.claimProbe(queueOf(destination))
    },

    onParked: (destination) => recovery.onParked(queueOf(destination)),

    onEnd(claim, result, now) {
      const queue = inFlight.get(claim) ?? queueOf(destinationOf(claim))
      // Idempotent: the sender reports a send twice if the attempt throws after the first report.
      if (inFlight.delete(claim)) queue.inFlight -= 1
      let cause: Cause = 'event'
      if (result.kind === 'success') {
        queue.suspects.onSuccess(claim.id)
        recovery.onSuccess(queue, claim, queue.breaker.onSuccess(now))
      } else if (result.kind === 'failure') {
        queue.breaker.onFailure(now, { ...result, eventId: claim.id, inFlight: queue.inFlight })
        const isOpen = queue.breaker.allowance(now) === 0
        cause = queue.suspects.causeOf({ eventId: claim.id, responded: result.responded, isOpen })
      }
      if (cause === 'event') recovery.onChange(queue)
      else recovery.onParked(queue)
      return cause
    },

    parkUntil(claim, now) {
      const destination = destinationOf(claim)
      return parkUntil(claim, destination, queueOf(destination), { now, dice })
    },

    backlog(now, limited = false) {
      let count = 0
      for (const queue of queues.values())
        if (isLimited(queue.destination, queue, now) === limited) count += queue.waiting.length
      return count
    },

    takeAll: () => [...queues.values()].flatMap(({ waiting }) => waiting.splice(0)),

    close() {
      recovery.close()
      for (const { limiter } of queues.values()) limiter.close()
    },

    async returnSlots() {
      for (const { limiter, destination } of queues.values()) await limiter.returnSlots(destination.limits)
    },
  }
}
