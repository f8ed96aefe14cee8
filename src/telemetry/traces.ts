// OpenTelemetry spans for attempts and batches. Without a registered SDK there are none. Needs no package: every 1.x release of
// @opentelemetry/api registers the tracer of an SDK under one symbol, for the other copies of the API in the process.
import type { Attributes, Span, TracerProvider } from '@opentelemetry/api'
import { decorate } from '../domain/decorate.ts'
import { reasonCode } from '../domain/events/failure-reason.ts'
import type { Channel } from '../ports/channel.ts'
import type { Store } from '../ports/store.ts'

/** A span for each batch that is claimed or settled; the spans of the database driver are its children. */
export function traceStore(store: Store): Store {
  return decorate(store, {
    claimDue: (claimDue) => (claim) =>
      inSpan('terce.claim', { 'terce.limit': claim.limit }, async (span) => {
        const claims = await claimDue(claim)
        span.setAttribute('terce.count', claims.length)
        return claims
      }),
    settle: (settle) => (settlements) =>
      inSpan('terce.settle', { 'terce.count': settlements.length }, async (span) => {
        const result = await settle(settlements)
        span.setAttribute('terce.stale', result.stale.length)
        return result
      }),
  })
}

/** A span for each attempt; the outgoing request is its child and can propagate it. */
export function traceChannel(channel: Channel, name: string): Channel {
  return {
    ...channel,
    // Without an SDK as cheap as the channel alone: this runs for each message.
    deliver: (delivery, signal) =>
      sdk() === undefined
        ? channel.deliver(delivery, signal)
        : inSpan(
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
                span.setStatus({ code: ERROR, message: reasonCode(result.error) })
              }
              return result
            },
          ),
  }
}

const REGISTRY = Symbol.for('opentelemetry.js.api.1')
type Registry = { [REGISTRY]?: { trace?: TracerProvider } }

const sdk = () => (globalThis as Registry)[REGISTRY]?.trace

/** SpanStatusCode.ERROR of the API. */
const ERROR = 2

/** Takes the place of a span without an SDK. */
const NO_SPAN = { setAttribute() {}, setStatus() {} }

type SpanOrNone = { [K in keyof typeof NO_SPAN]: (...args: Parameters<Span[K]>) => unknown }

function inSpan<T>(name: string, attributes: Attributes, work: (span: SpanOrNone) => Promise<T>): Promise<T> {
  const provider = sdk()
  if (provider === undefined) return work(NO_SPAN)
  return provider.getTracer('terce').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      // The name of the error only: a message can quote a row.
      span.setStatus({ code: ERROR, message: (error as Error).name })
      throw error
    } finally {
      span.end()
    }
  })
}
