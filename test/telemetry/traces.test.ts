// Spans: one for each attempt and batch, without personal data, and none without an SDK.
import { type Span, SpanStatusCode, type TracerProvider, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Channel } from '../../src/ports/channel.ts'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { traceChannel, traceStore } from '../../src/telemetry/traces.ts'
import { claimAt, create, delivered } from '../contracts/store/steps.ts'
import { createScriptedChannel, createTestClock, makePerson, T0 } from '../support/fixtures.ts'

type Seen = { name: string; attributes: Record<string, unknown>; status?: object; ended: boolean }

/** The part of an SDK's tracer that Terce uses. */
function recorder(spans: Seen[]): TracerProvider {
  const startActiveSpan = (
    name: string,
    { attributes }: { attributes: object },
    work: (span: Span) => unknown,
  ) => {
    const seen: Seen = { name, attributes: { ...attributes }, ended: false }
    spans.push(seen)
    const span = {
      setAttribute(key: string, value: unknown) {
        seen.attributes[key] = value
      },
      setStatus(status: object) {
        seen.status = status
      },
      end() {
        seen.ended = true
      },
    }
    return work(span as unknown as Span)
  }
  return { getTracer: () => ({ startActiveSpan }) } as unknown as TracerProvider
}

const spans: Seen[] = []
beforeEach(() => {
  spans.length = 0
  trace.setGlobalTracerProvider(recorder(spans))
})
afterEach(() => trace.disable())

const delivery = { eventId: 'event-id', idempotencyKey: 'event-key', body: 'Hey, Ada', attempt: 2 }
const signal = new AbortController().signal

describe('spans', () => {
  it('record each attempt with its event, channel, number, outcome and status', async () => {
    const channel = traceChannel(createScriptedChannel(createTestClock(T0)), 'hook')
    expect(await channel.deliver(delivery, signal)).toEqual({ kind: 'delivered', statusCode: 200 })
    expect(spans).toEqual([
      {
        name: 'terce.deliver',
        attributes: {
          'terce.event.id': 'event-id',
          'terce.channel': 'hook',
          'terce.attempt': 2,
          'terce.outcome': 'delivered',
          'terce.status_code': 200,
        },
        ended: true,
      },
    ])
  })

  it('record only the code of a failure and only the class of a thrown error', async () => {
    const scripted = createScriptedChannel(createTestClock(T0))
    const channel = traceChannel(scripted, 'hook')
    scripted.script('event-id', { kind: 'permanent', error: 'HTTP 410: no Ada here', statusCode: 410 }, () =>
      Promise.reject(new TypeError('Hey, Ada')),
    )
    await channel.deliver(delivery, signal)
    await expect(channel.deliver(delivery, signal)).rejects.toThrow(TypeError)
    expect(spans.map(({ status, ended }) => ({ status, ended }))).toEqual([
      { status: { code: SpanStatusCode.ERROR, message: 'HTTP 410' }, ended: true },
      { status: { code: SpanStatusCode.ERROR, message: 'TypeError' }, ended: true },
    ])
    expect(JSON.stringify(spans)).not.toContain('Ada')
  })

  it('record each claimed and settled batch with its size', async () => {
    const store = traceStore(openSqliteStore(':memory:'))
    await create(store, makePerson(), makePerson())
    const claims = await claimAt(store, T0)
    await store.deleteUser(claims[0]!.user.id, T0)
    await store.settle(claims.map((claim) => delivered(claim)))
    expect(spans).toEqual([
      { name: 'terce.claim', attributes: { 'terce.limit': 2_000, 'terce.count': 2 }, ended: true },
      { name: 'terce.settle', attributes: { 'terce.count': 2, 'terce.stale': 1 }, ended: true },
    ])
    await store.close()
  })

  it('are not created without an SDK, and calls work as before', async () => {
    trace.disable()
    const channel: Channel = traceChannel(createScriptedChannel(createTestClock(T0)), 'hook')
    expect(await channel.deliver(delivery, signal)).toEqual({ kind: 'delivered', statusCode: 200 })
    expect(spans).toEqual([])
  })
})
