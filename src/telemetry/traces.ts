// Spans of OpenTelemetry for attempts and batches. Without an SDK that registered itself they are nothing and cost nothing.
import { type Attributes, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { reasonCode } from '../domain/events/failure-reason.ts'
import type { Channel } from '../ports/channel.ts'
import type { Store } from '../ports/store.ts'

/** A span for each batch that is claimed, settled or replayed; what the driver does lies within it. */
export function traceStore(store: Store): Store {
  return {
    ...store,
    claimDue: (claim) =>
      inSpan('terce.claim', { 'terce.limit': claim.limit }, async (span) => {
        const claims = await store.claimDue(claim)
        span.setAttribute('terce.count', claims.length)
        return claims
      }),
    settle: (settlements) =>
      inSpan('terce.settle', { 'terce.count': settlements.length }, async (span) => {
        const result = await store.settle(settlements)
        span.setAttribute('terce.stale', result.stale.length)
        return result
      }),
  }
}

/** A span for each attempt; the request that goes out lies within it, and can carry it on. */
export function traceChannel(channel: Channel, name: string): Channel {
  return {
    deliver: (delivery, signal) =>
      inSpan(
        'terce.deliver',
        {
          'terce.channel': name,
          'terce.event.id': delivery.eventId,
          'terce.attempt': delivery.attempt,
        },
        async (span) => {
          const result = await channel.deliver(delivery, signal)
          span.setAttribute('terce.outcome', result.kind)
          if (result.statusCode !== null) span.setAttribute('terce.status_code', result.statusCode)
          if (result.kind !== 'delivered') {
            span.setStatus({ code: SpanStatusCode.ERROR, message: reasonCode(result.error) })
          }
          return result
        },
      ),
    close: () => channel.close(),
  }
}

function inSpan<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  return trace.getTracer('terce').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      // The kind alone: a message can quote a row.
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name })
      throw error
    } finally {
      span.end()
    }
  })
}
