// The destination of each attempt of an event, and the response to it.
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/domain/events/exchange.ts'
import { ADA, createTestApp } from '../../http/support/test-app.ts'

const BODY = `{"message":"Hey, it's your birthday"}`
const DUE = '2026-12-15T16:00:00.000Z'

/** An event that was claimed at its time. */
async function withClaim() {
  const app = createTestApp()
  const { nextBirthdayEvent } = (await app.post('/user', ADA)).json
  app.setClock(DUE)
  const claim = async (at = Date.parse(DUE)) =>
    (
      await app.store.claimDue({
        now: at,
        limit: 1,
        leaseMs: 1_000,
        claimedBy: 'w',
        render: () => BODY,
      })
    )[0]!
  const path = `/event/${nextBirthdayEvent.id}`
  return { ...app, path, claim }
}

describe('GET /event/:id', () => {
  it('has the destination and the response of each attempt', async () => {
    const { send, store, claim, path } = await withClaim()
    const { id: eventId, version } = await claim()
    const at = Date.parse(DUE)
    const exchange: Exchange = {
      destination: 'https://example.com/hook',
      response: { headers: { 'content-type': 'text/plain' }, body: 'try later', shortened: false },
    }
    await store.settle([
      { eventId, version, at, kind: 'retry', wakeAt: at, error: 'HTTP 500', statusCode: 500, exchange },
    ])
    await claim()
    await store.settle([
      {
        ...{ eventId, version: version + 2, at, kind: 'terminal', status: 'COMPLETED', failure: null },
        ...{ statusCode: 200, planRevision: 0, successor: null },
      },
    ])
    const { attempts } = (await send(path)).json
    expect(attempts).toMatchObject([
      { statusCode: 500, ...exchange, destination: 'https://example.com' },
      { statusCode: 200, destination: null, response: null },
    ])
  })
})
