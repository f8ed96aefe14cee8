// The attempts of an event as its page lists them.
import { expect, it } from 'vitest'
import type { Attempt } from '../../../../web/src/api/types.ts'
import { foldAttempts } from '../../../../web/src/pages/event/fold-attempts.ts'

const attempt = (number: number, outcome: string, error: string | null = null) =>
  ({
    number,
    outcome,
    error,
    statusCode: null,
    channel: 'crm',
    startedAt: new Date(number * 1_000).toISOString(),
    finishedAt: new Date(number * 1_000 + 100).toISOString(),
  }) as Attempt

it('attempts in a row that ended alike are one entry, and the newest entry is first', () => {
  const released = [2, 3, 4].map((number) => attempt(number, 'RELEASED', 'ECONNREFUSED'))
  const attempts = [attempt(1, 'RETRY', 'HTTP 503'), ...released, attempt(5, 'DELIVERED')]
  const folded = foldAttempts(attempts, new Date(0).toISOString())
  expect(
    folded.map(({ first, last, count, waitedMs }) => [count, first.number, last.number, waitedMs]),
  ).toEqual([
    [1, 5, 5, 900],
    [3, 2, 4, 900],
    [1, 1, 1, 1_000],
  ])
})
