// The handlers of an application as a channel: what a handler writes through its transaction commits together with the
// settlement of the event, or not at all.
import { HANDLER_CHANNEL, NO_LIMITS } from '../../domain/settings/channel.ts'
import type { Destination } from '../../engine/deliver/destinations.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore, HistoryStore } from '../../ports/store.ts'
import type { Transactions } from '../transactions.ts'
import { collectDeletions } from './deletions.ts'
import { ANY_TYPE, type EventOf, type Handler, PermanentError, RetryLater } from './handler.ts'
import type { Report } from './hooks.ts'

type HandlerSettings<Tx> = {
  clock: Pick<Clock, 'after'>
  handlers: ReadonlyMap<string, Handler<Tx>>
  transactions: Pick<Transactions<Tx>, 'run' | 'abandon'>
  /** The store inside a transaction. */
  storeIn: (tx: Tx) => Pick<EventStore & HistoryStore, 'settle' | 'readClaims' | 'findEvent'>
  timeoutMs: number
  /** How many handlers run at once: each of them holds a connection. */
  concurrency: number
  /** Called after each attempt. */
  report: Report
}

export function handlerDestination<Tx>(settings: HandlerSettings<Tx>): Destination {
  return {
    id: HANDLER_CHANNEL,
    name: 'handlers',
    kind: 'webhook',
    status: 'ACTIVE',
    limits: NO_LIMITS,
    localConcurrency: settings.concurrency,
    channel: handlerChannel(settings),
    types: settings.handlers.has(ANY_TYPE) ? undefined : [...settings.handlers.keys()],
  }
}

function handlerChannel<Tx>(settings: HandlerSettings<Tx>): Channel {
  const { clock, handlers, transactions, storeIn, timeoutMs, report } = settings

  async function deliver(delivery: Delivery, stop: AbortSignal): Promise<DeliveryResult> {
    const event = JSON.parse(delivery.body) as EventOf<string>
    const { result, error } = await handle(event, delivery, stop)
    const { attempt, eventId } = delivery
    return { ...result, onOutcome: (outcome) => report(outcome, { event, attempt, error, eventId }) }
  }

  async function handle(event: EventOf<string>, delivery: Delivery, stop: AbortSignal): Promise<Handled> {
    const handler = handlers.get(event.type) ?? handlers.get(ANY_TYPE)
    if (handler === undefined)
      return {
        result: failed(`NO_HANDLER: ${event.type}`),
        error: new Error(`No handler is registered for ${event.type}.`),
      }
    const { eventId, attempt, idempotencyKey } = delivery
    const limited = limit(clock, stop, timeoutMs)
    const { signal, reached } = limited
    let isStarted = false
    // By itself, because a library may wrap the error that its transaction rolled back for.
    let thrown: unknown

    async function work(tx: Tx): Promise<void> {
      // The connection came too late.
      signal.throwIfAborted()
      isStarted = true
      const abandoned = reached.catch(() => transactions.abandon?.(tx)).catch(() => {})
      try {
        const deleted = new Set<string>()
        const context = { tx, signal, attempt, idempotencyKey }
        await Promise.race([collectDeletions(deleted, () => handler!(event, context)), reached])
        const store = storeIn(tx)
        if (await delivery.settle!(store)) return
        const isOwnDeletion = deleted.has(event.userId) || deleted.has(event.occasionId)
        if (!isOwnDeletion || (await store.findEvent(eventId)) !== null) throw new ClaimLost()
      } catch (error) {
        thrown = error
        // Before the rollback: a statement of the handler that follows ROLLBACK commits by itself.
        if (signal.aborted) await abandoned
        throw error
      }
    }

    try {
      // If the time is up during COMMIT, its outcome is unknown. The settlement of this attempt is then rejected if the COMMIT has
      // settled the event, because the claim is gone.
      await Promise.race([transactions.run(work), reached])
      return { result: { kind: 'delivered', statusCode: null, isSettled: true } }
    } catch (caught) {
      const error = thrown ?? caught
      return { result: isStarted ? failureOf(error) : noTransaction(error), error }
    } finally {
      limited.cancel()
    }
  }
  return { settles: true, deliver, close: async () => {} }
}

/** `error`: what the handler threw, or why it did not run. */
type Handled = { result: DeliveryResult; error?: unknown }

class ClaimLost extends Error {
  override message = 'The lease of the event expired, or the event was deleted: nothing was written.'
}

function failureOf(error: unknown): DeliveryResult {
  if (error instanceof ClaimLost) return failed('CLAIM_LOST')
  const text = `HANDLER_ERROR: ${nameOf(error)}`
  if (error instanceof RetryLater) return { ...failed(text), retryAfterMs: error.ms }
  if (!(error instanceof PermanentError)) return failed(text)
  return { kind: 'permanent', error: `${text}: ${bounded(error.message)}`, statusCode: null }
}

const MOST_TEXT = 500

/** Without characters that a database or a terminal rejects. */
const bounded = (text: string) =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MOST_TEXT)
    .toWellFormed()

/** The database is unavailable or out of connections, which concerns every event: it is released and uses no retry. */
function noTransaction(error: unknown): DeliveryResult {
  return { kind: 'transient', error: `NO_TRANSACTION: ${nameOf(error)}`, statusCode: null, about: 'process' }
}

/** Only the class of the error is stored: its message can quote a row. That of a PermanentError is written to be stored. */
const nameOf = (error: unknown) => (error as Error)?.name ?? 'Error'

/** About the event alone: no circuit breaker opens for a handler. */
const failed = (error: string): DeliveryResult & { kind: 'transient' } => ({
  kind: 'transient',
  error,
  statusCode: null,
  about: 'event',
})

/** A signal that aborts with `stop` or after `ms`, and a promise that rejects with it. */
function limit(clock: Pick<Clock, 'after'>, stop: AbortSignal, ms: number) {
  const own = new AbortController()
  const { promise: reached, reject } = Promise.withResolvers<never>()
  reached.catch(() => {})
  const abort = (name: string, message: string) => {
    const error = new Error(message)
    error.name = name
    own.abort(error)
    reject(error)
  }
  const onStop = () => abort('Stopped', 'The process stops.')
  const timer = clock.after(ms, () => abort('TimedOut', `The handler took longer than ${ms} ms.`))
  stop.addEventListener('abort', onStop)
  return {
    signal: own.signal,
    reached,
    cancel() {
      timer.cancel()
      stop.removeEventListener('abort', onStop)
    },
  }
}
