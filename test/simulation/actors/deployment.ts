// Who delivers in a scenario: engines that run on, or consumers of a queue and the scheduler that fills it.

import { createConsumer } from '../queue/consumer.ts'
import { createCron } from '../queue/cron.ts'
import { createService } from '../queue/service.ts'
import type { Database } from '../support/database.ts'
import type { World } from '../support/world.ts'
import { createWorker, type Worker } from './worker.ts'

export type Home = {
  /** Those of the scenario by their numbers; behind them whoever else there is. */
  workers: Worker[]
  /** Who comes when all is calm. */
  relief: Worker[]
}

export function openHome(world: World, database: Database): Home {
  const { workers: plans, queue: plan } = world.scenario
  if (plan === undefined)
    return {
      workers: plans.map((worker, number) => createWorker(world, database, number, worker)),
      relief: [createWorker(world, database, plans.length, { skewMs: 0 })],
    }
  const service = createService(world, plan)
  const parts = { database, service, plan }
  const consumers = plans.map((worker, number) => createConsumer(world, parts, number, worker))
  service.onMessages(() => {
    for (const consumer of consumers) consumer.offer()
  })
  return { workers: [...consumers, createCron(world, parts)], relief: [] }
}
