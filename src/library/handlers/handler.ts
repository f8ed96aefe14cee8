// What an application registers for an event: types, and the error that ends an event.
import type { KnownType } from '../../domain/occasions/occasion-types.ts'
import type { Message } from '../../receiver/verify.ts'
import type { PgTransaction } from '../transactions.ts'

export type HandlerContext<Tx = PgTransaction> = {
  /** A transaction that also settles the event. Terce commits it when the handler resolves, and rolls it back if it rejects. */
  tx: Tx
  /** Aborted when the handler takes too long, or the process stops. */
  signal: AbortSignal
  /** The number of the attempt, from 1. */
  attempt: number
  /** Constant over all attempts: for effects outside the database. */
  idempotencyKey: string
}

/** Fields of the message of a reminder. */
type OfTask = { taskId: string; title: string; dueAt: string }

/** The types that Terce knows, any type of the application's own, or `*` for every type without a handler. */
export type EventType = KnownType | '*' | (string & {})

/** The event of a handler for this type. */
export type EventOf<Type extends string, Data = AnyData> = string extends Type
  ? Message<Data> & Partial<OfTask>
  : Type extends '*'
    ? Message<Data> & Partial<OfTask>
    : Message<Data> & { type: Type } & (Type extends 'TASK_REMINDER' ? OfTask : unknown)

export type AnyData = NonNullable<Message['data']>

export type Handler<Tx = PgTransaction, Type extends string = string, Data = AnyData> = (
  event: EventOf<Type, Data>,
  context: HandlerContext<Tx>,
) => unknown

/** Handles events of every type that has no handler of its own. */
export const ANY_TYPE = '*'

/** Thrown by a handler to fail the event at once, without further attempts. */
export class PermanentError extends Error {
  override name = 'PermanentError'
}

/** Thrown by a handler to try the event again after so many milliseconds, a day at most, or after the delay of `RETRY` if that is longer. */
export class RetryLater extends Error {
  override name = 'RetryLater'
  readonly ms: number
  constructor(ms: number) {
    super(`Try again in ${ms} ms.`)
    if (!(ms >= 0)) throw new TypeError(`RetryLater takes a number of milliseconds from 0, not ${ms}.`)
    this.ms = Math.min(ms, 86_400_000)
  }
}
