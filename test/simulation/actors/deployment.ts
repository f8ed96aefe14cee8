// The processes that deliver in a scenario: long-running engines, or a scheduler, a queue and its consumers.

import { createConsumer } from '../queue/consumer.ts'
import { createCron } from '../queue/cron.ts'
import { createService } from '../queue/service.ts'
import type { Database } from '../support/database.ts'
import type { World } from '../support/world.ts'
import { createWorker, type Worker } from './worker.ts'

export type Deployment = {
  /** The workers of the scenario by their numbers, and after them the scheduler. */
  workers: Worker[]
  /** Workers that start when the faults end. */
  standby: Worker[]
}

export function createDeployment(world: World, database: Database): Deployment {
  const { workers: plans, queue: plan } = world.scenario
  if (plan === undefined)
    return {
      workers: plans.map((worker, number) => createWorker(world, database, number, worker)),
      standby: [createWorker(world, database, plans.length, { skewMs: 0 })],
    }
  const service = createService(world, plan)
  const parts = { database, service, plan }
  const consumers = plans.map((worker, number) => createConsumer(world, parts, number, worker))
  service.onMessages(() => {
    for (const consumer of consumers) consumer.offer()
  })
  return { workers: [...consumers, createCron(world, parts)], standby: [] }
}
