// The handlers of a Worker that cannot be made.
import { expect, it, vi } from 'vitest'
import { createHandlers } from '../../../src/runtimes/cloudflare/handlers.ts'
import { QUEUE_LEASE_MS } from '../../../src/runtimes/shared/serverless.ts'

it('a Worker that fails for any reason keeps its messages until their leases expire, and logs no message of the error', async () => {
  const lines = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { fetch, scheduled, queue } = createHandlers(() => {
    throw new TypeError('hidden-secret')
  })
  let delayMs = 0
  for (const attempts of [1, 2, 3, 4, 5]) {
    const retry = (how?: { delaySeconds?: number }) => {
      delayMs += how!.delaySeconds! * 1_000
    }
    await queue(
      { queue: 'terce-due', messages: [{ body: {}, attempts, ack: expect.unreachable, retry }] },
      {},
    )
  }
  expect(delayMs).toBeGreaterThan(QUEUE_LEASE_MS)
  expect((await fetch(new Request('https://terce.example/user'), {})).status).toBe(500)
  await expect(scheduled({ scheduledTime: 0 }, {})).rejects.toThrow('Terce is not set up')
  expect(lines.mock.calls.join()).toContain('Terce cannot start: TypeError.')
  expect(lines.mock.calls.join()).not.toContain('hidden-secret')
  lines.mockRestore()
})
