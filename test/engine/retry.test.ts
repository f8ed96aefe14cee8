// Waits between two attempts.
import { expect, it } from 'vitest'
import { retry } from '../../src/engine/retry.ts'
import { createTestClock, SECOND, T0 } from '../support/fixtures.ts'

it('retry waits as long as it is told after each failure, and rejects with the error that ends it', async () => {
  const clock = createTestClock(T0)
  const calledAt: number[] = []
  const rejected = retry(
    clock,
    (_, failures) => (failures < 3 ? failures * SECOND : null),
    async () => {
      calledAt.push(clock.now() - T0)
      throw new Error(`Failure ${calledAt.length}.`)
    },
  ).catch((error) => error.message)
  await clock.advance(10 * SECOND)
  expect(await rejected).toBe('Failure 3.')
  expect(calledAt).toEqual([0, SECOND, 3 * SECOND])
})
