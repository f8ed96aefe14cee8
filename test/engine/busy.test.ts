// Whether an engine is busy: work of less haste in its process waits while it is.
import { expect, it } from 'vitest'
import { heldAnswer, SECOND } from '../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from './support/use-world.ts'

useWorld()

it.each([
  [32, false],
  [33, true],
])('an engine that sends %i events at once: %s, and not once they are settled', async (count, isBusy) => {
  const people = await dueAtNine(count)
  const held = people.map(({ events }) => {
    const answer = heldAnswer()
    world.channel.script(events[0]!.id, answer.step)
    return answer
  })
  const engine = world.start({ concurrency: 64, batchSize: 64 })
  expect(engine.isBusy()).toBe(false)
  await world.clock.advanceTo(NINE + SECOND)
  expect(engine.isBusy()).toBe(isBusy)
  for (const { answer } of held) answer({ kind: 'delivered', statusCode: 200 })
  await world.clock.advance(SECOND)
  expect(await world.statuses(people)).toEqual({ COMPLETED: count })
  expect(engine.isBusy()).toBe(false)
})
