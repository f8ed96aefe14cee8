// Runs generated scenarios on the SQLite of a Durable Object in workerd. A few are enough: the store contract holds there, and the
// engine is the one of the other runs.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remoteExecutor, startStoreObjects } from '../support/workerd/objects.ts'
import { generate } from './generate/generate.ts'
import { describeRun } from './record/describe.ts'
import { tally } from './record/tally.ts'
import { runScenario } from './run.ts'

/** Short ones without the handlers of an application, whose transactions a Durable Object does not have. Two have a queue. */
const SEEDS = [2, 5, 8]

let objects: Awaited<ReturnType<typeof startStoreObjects>>

beforeAll(async () => {
  objects = await startStoreObjects()
})
afterAll(() => objects.stop())

describe('a simulated scenario on a Durable Object', () => {
  for (const seed of SEEDS) {
    it(`delivers and keeps every invariant, for seed ${seed}`, async () => {
      const engine = { executor: remoteExecutor(objects.of(randomUUID())), transactions: null }
      const run = await runScenario(generate(seed), null, undefined, engine)
      expect(run.violation === null ? [] : describeRun(run)).toEqual([])
      expect(tally(run).arrivals).toBeGreaterThan(0)
    })
  }
})
