// The engine of a test: the engine of the product without polls and heartbeats, because no other process plans or delivers.
import { drainEnqueued } from '../../app/enqueue/drain.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { BATCH_SIZE } from '../../engine/claim.ts'
import { BREAKER } from '../../engine/deliver/circuit-breaker.ts'
import { createDestinations } from '../../engine/deliver/destinations.ts'
import { createTemplates } from '../../engine/deliver/templates.ts'
import { type Engine, startEngine } from '../../engine/engine.ts'
import type { Dice } from '../../ports/clock.ts'
import type { Notice } from '../../ports/telemetry.ts'
import type { Config } from '../../runtimes/config/config.ts'
import { drainDepsOf } from '../../runtimes/enqueue.ts'
import type { Deliverer } from '../parts.ts'
import type { Activity } from './activity.ts'
import type { Recorder } from './deliveries.ts'

export type TestEngine = Engine & {
  /** Applies the changes that transactions of the application have enqueued, and delivers all that is due now. */
  look(): Promise<void>
}

export type EngineParts = {
  config: Config
  dice: Dice
  recorder: Recorder
  activity: Activity
  /** Between two moves of the clock the engine rests. */
  isMoving: () => boolean
  /** Called with an error of the engine itself: a statement that failed, a message that cannot be planned. */
  onError: (error: unknown) => void
}

export function startTestEngine(
  { config, dice, recorder, activity, isMoving, onError }: EngineParts,
  { database, observed, planner, handlers }: Deliverer,
): TestEngine {
  const { store, clock } = database
  const { concurrency, retryPolicy, lateness, keepResponses } = config
  const telemetry = (notice: Notice) => {
    if (notice.kind === 'error') onError(notice.error)
    observed.telemetry(notice)
    // The handler's transaction may have planned an event that is due already, or enqueued a person.
    if (notice.kind === 'attempt' && handlers !== null) look().catch(onError)
  }
  const draining = drainDepsOf(config, database, { telemetry, planner, onPlanned: () => {} })
  const look = () =>
    activity.during(async () => {
      if (draining !== null) await drainEnqueued(draining, () => false)
      engine.wake(clock.now())
    })
  const destinations = createDestinations({
    store,
    clock,
    telemetry,
    open: ({ name }) => recorder.channel(name),
    fallback: recorder.byDefault,
    handlers: handlers && recorder.recorded(handlers),
  })
  const templates = createTemplates({ store, clock, telemetry })
  const parts = { store, clock, telemetry, destinations, templates, planner, dice }
  const engine = startEngine({ ...parts, retryPolicy, lateness, keepResponses }, { ...ENGINE, concurrency })
  return {
    look,
    wake: (at) => {
      if (isMoving()) engine.wake(at)
    },
    stop: async () => {
      await engine.stop()
      await destinations.close()
    },
  }
}

const MONTH_MS = 30 * DAY_MS

const ENGINE = {
  workerId: 'test',
  batchSize: BATCH_SIZE,
  leaseMs: MONTH_MS,
  pollMs: MONTH_MS,
  graceMs: 10_000,
  breaker: BREAKER,
}
