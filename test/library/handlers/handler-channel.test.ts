import { expect, it } from 'vitest'
import { handlerDestination } from '../../../src/library/handlers/handler-channel.ts'
import { createTestClock, T0 } from '../../support/fixtures.ts'

it('a handler does not run if its connection comes after its time is up', async () => {
  const clock = createTestClock(T0)
  const connected = Promise.withResolvers<void>()
  let runs = 0
  const handler = async () => {
    runs += 1
  }
  const { channel } = handlerDestination<object>({
    clock,
    handlers: new Map([['BIRTHDAY', handler]]),
    transactions: { run: (work) => connected.promise.then(() => work({})) },
    storeIn: () => expect.unreachable(),
    timeoutMs: 1_000,
    report: () => {},
    concurrency: 1,
  })
  const delivery = { eventId: 'e', idempotencyKey: 'k', attempt: 1, body: '{"type":"BIRTHDAY"}' }
  const delivering = channel.deliver(delivery as never, new AbortController().signal)
  await clock.advance(1_000)
  expect(await delivering).toMatchObject({ kind: 'transient', error: 'NO_TRANSACTION: TimedOut' })
  connected.resolve()
  await clock.advance(1)
  expect(runs).toBe(0)
})
