// Skips the time in which nothing happens: years in seconds. Timers that would only have polled and slept again fire
// late, as on a suspended machine.
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Worker } from '../actors/worker.ts'
import { callBefore } from '../queue/cron.ts'
import { changesOf, type HoldRow } from '../record/ledger.ts'
import type { Database } from './database.ts'
import type { World } from './world.ts'

/** A worker with a claim sends three heartbeats in a lease, and retries after an error sooner than that. */
const ALL_IDLE_MS = 2 * MINUTE

/** A worker with an event that its rate limiter holds back checks again within a second, one with a closed lane within two. */
const SOON_MS = 2.5 * SECOND

/** Returns the function that skips the time from now to the next instant at which something can happen. */
export function createIdleSkip(world: World, database: Database, workers: readonly Worker[]) {
  /** When the waits end that receivers asked for, and the holds. A wait begins when the sender gets the response. */
  const waits: number[] = []
  const asked = new Map<string, number>()
  world.onNote.push((entry) => {
    if (entry.kind === 'arrival') asked.set(`${entry.who} ${entry.eventId}`, entry.retryAfterMs)
    const waitMs = entry.kind === 'result' ? asked.get(`${entry.who} ${entry.eventId}`) : undefined
    if (waitMs) waits.push(entry.at + waitMs)
    if (entry.kind !== 'commit') return
    for (const { after } of changesOf<HoldRow>(entry.rows, 'destinations'))
      if (after?.held_until) waits.push(after.held_until)
  })
  return () => skipIdleTime(world, database, workers, waits)
}

async function skipIdleTime(
  { scheduler, scenario }: Pick<World, 'scheduler' | 'scenario'>,
  database: Database,
  workers: readonly Worker[],
  waits: readonly number[],
): Promise<void> {
  if (scheduler.busy() || workers.some((worker) => worker.atWork())) return
  const now = scheduler.now()
  if (scheduler.nextTimerAt() < now + SOON_MS) return
  const allIdle = now - scheduler.idleSince() > ALL_IDLE_MS
  const { claimed, freeAt } = await database.outlook()
  if (claimed && !allIdle) return
  const running = workers.filter((worker) => worker.running())
  const skews = running.map((worker) => worker.skewMs())
  const firstAt = freeAt - Math.max(0, ...skews)
  // A scheduler that is called once a minute may wait for events due within that minute.
  const wakesAt = scenario.queue === undefined ? firstAt : callBefore(scenario.queue, firstAt)
  const dueForAll = freeAt - Math.min(0, ...skews)
  const overdue = allIdle && now - dueForAll > ALL_IDLE_MS
  // Events are due and no running worker claims them: skip an hour, so that a worker that wakes late is still seen.
  const nextWakeAt = wakesAt <= now && overdue ? now + HOUR : wakesAt
  const nextAt = Math.min(
    scheduler.nextScriptAt(),
    nextRecoveryAt(scenario, waits, now),
    running.length > 0 ? nextWakeAt : Number.POSITIVE_INFINITY,
  )
  if (nextAt > now + MINUTE) scheduler.skipTo(nextAt)
}

/** When the next channel is up again: from then on its lane is open, by timers that are late otherwise. */
function nextRecoveryAt({ faults }: World['scenario'], waits: readonly number[], now: number): number {
  const ends = faults.flatMap((fault) => (fault.kind === 'down' ? [fault.at + fault.forMs] : []))
  return Math.min(...[...ends, ...waits].filter((end) => end > now))
}
