// Passes over the time in which nothing happens: years in seconds. Timers that would only have looked around and gone
// back to sleep go off late, as on a machine that was suspended.
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Worker } from '../actors/worker.ts'
import { callBefore } from '../queue/cron.ts'
import type { Database } from './database.ts'
import type { World } from './world.ts'

/** Whoever holds an event says so three times in a lease, and whoever met trouble tries again sooner than that. */
const NOBODY_THERE_MS = 2 * MINUTE

/** Whoever has something in hand that its channel cannot take yet comes back within a second. */
const SOON_MS = 1.5 * SECOND

export async function passOverQuiet(
  { scheduler, scenario }: Pick<World, 'scheduler' | 'scenario'>,
  database: Database,
  workers: readonly Worker[],
): Promise<void> {
  if (scheduler.busy() || workers.some((worker) => worker.atWork())) return
  const now = scheduler.now()
  if (scheduler.nextTimerAt() < now + SOON_MS) return
  const nobodyThere = now - scheduler.idleSince() > NOBODY_THERE_MS
  const { held, freeAt } = await database.outlook()
  if (held && !nobodyThere) return
  const running = workers.filter((worker) => worker.running())
  const skews = running.map((worker) => worker.skewMs())
  const firstAt = freeAt - Math.max(0, ...skews)
  // Who is called once a minute may stay for what falls due within it.
  const wakesAt = scenario.queue === undefined ? firstAt : callBefore(scenario.queue, firstAt)
  const dueForAll = freeAt - Math.min(0, ...skews)
  const overdue = nobodyThere && now - dueForAll > NOBODY_THERE_MS
  // Due, and those who run do nothing about it: time goes on, but not so far that a late sleeper is missed.
  const nextWakeAt = wakesAt <= now && overdue ? now + HOUR : wakesAt
  const nextAt = Math.min(
    scheduler.nextScriptAt(),
    running.length > 0 ? nextWakeAt : Number.POSITIVE_INFINITY,
  )
  if (nextAt > now + MINUTE) scheduler.leapTo(nextAt)
}
