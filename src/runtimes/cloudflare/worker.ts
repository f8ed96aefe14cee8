// The Cloudflare Worker: serves the API, queues due events every minute, and delivers queued events. D1 holds all state.
import { guarded } from '../serverless.ts'
import { type CloudflareApp, makeApp } from './app.ts'
import { type Batch, consumeBatch, retryLater } from './consume.ts'
import { type Env, makeParts, type Parts } from './parts.ts'
import { createSchedule } from './schedule.ts'
import { ifSetUp, NOT_SET_UP, respondNotSetUp } from './set-up.ts'

let parts: Parts | null = null
let app: CloudflareApp | null = null
let schedule: ReturnType<typeof createSchedule> | null = null

function partsOf(env: Env): Parts {
  parts ??= makeParts(env)
  return parts
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    app ??= ifSetUp(() => openApp(partsOf(env)))
    if (app === null) return respondNotSetUp()
    const response = await app.fetch(request, env)
    partsOf(env).flushLog()
    return response
  },

  /** Called every minute: queues events that are due, and events that fall due until the run ends. */
  async scheduled({ scheduledTime }: { scheduledTime: number }, env: Env): Promise<void> {
    const home = ifSetUp(() => partsOf(env))
    if (home === null) throw new Error(NOT_SET_UP)
    schedule ??= createSchedule(home)
    const run = schedule
    await guarded(home, 'schedule', async () => {
      await home.checkSchema()
      await run(scheduledTime)
    })
  },

  async queue(batch: Batch, env: Env): Promise<void> {
    const home = ifSetUp(() => partsOf(env))
    if (home === null) retryLater(batch)
    else await consumeBatch(home, batch)
  },
}

function openApp(home: Parts): CloudflareApp {
  return makeApp(home, async () => {
    await home.checkSchema()
    await home.store.check()
  })
}
