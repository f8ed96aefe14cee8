// The handlers of a Worker: serve the API, queue due events every minute, and deliver queued events.
import { guarded } from '../shared/serverless.ts'
import { type CloudflareApp, makeApp } from './app.ts'
import { type Batch, consumeBatch, retryLater } from './consume.ts'
import type { CloudflareParts } from './parts.ts'
import { createReplanOnRequest } from './replan-on-request.ts'
import { createSchedule, WORK_QUERIES } from './schedule.ts'
import { ifSetUp, NOT_SET_UP, respondNotSetUp } from './set-up.ts'

/** `open` is called once in an isolate. */
export function createHandlers<Env>(open: (env: Env) => CloudflareParts) {
  let parts: CloudflareParts | null = null
  let app: CloudflareApp | null = null
  let schedule: ReturnType<typeof createSchedule> | null = null

  function partsOf(env: Env): CloudflareParts {
    parts ??= open(env)
    return parts
  }

  return {
    async fetch(request: Request, env: Env): Promise<Response> {
      app ??= ifSetUp(() => openApp(partsOf(env)))
      if (app === null) return respondNotSetUp()
      const response = await app.fetch(request, env as object)
      partsOf(env).flushMetrics()
      return response
    },

    /** Called every minute: queues events that are due, and events that fall due until the run ends. */
    async scheduled({ scheduledTime }: { scheduledTime: number }, env: Env): Promise<void> {
      const runtime = ifSetUp(() => partsOf(env))
      if (runtime === null) throw new Error(NOT_SET_UP)
      schedule ??= createSchedule(runtime)
      const run = schedule
      await guarded(runtime, 'schedule', async () => {
        await runtime.checkSchema()
        await runtime.drain?.()
        await run(scheduledTime)
      })
    },

    async queue(batch: Batch, env: Env): Promise<void> {
      const runtime = ifSetUp(() => partsOf(env))
      if (runtime === null) retryLater(batch)
      else await consumeBatch(runtime, batch)
    },
  }
}

function openApp(runtime: CloudflareParts): CloudflareApp {
  const openLimited = () => {
    const { store, queries } = runtime.openCounted()
    return { store, mayContinue: () => queries() < WORK_QUERIES }
  }
  return makeApp(runtime, { replanOnRequest: createReplanOnRequest(runtime), openLimited }, async () => {
    await runtime.checkSchema()
    await runtime.store.check()
  })
}
