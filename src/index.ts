// The exports of `terce`: the library, for an application that has Terce in its own process.
import './runtimes/embedded/node-version.ts'

export { TerceError } from './client/client.ts'
export type { Message } from './receiver/verify.ts'
export {
  type EventOf,
  type Handler,
  type HandlerContext,
  PermanentError,
} from './runtimes/embedded/handler.ts'
export type { Caller, Terce, TerceOptions } from './runtimes/embedded/library.ts'
export { createTerce } from './runtimes/embedded/terce.ts'
export type {
  PgClient,
  PgPool,
  PgTransaction,
  SqliteClient,
  Transactions,
} from './runtimes/embedded/transactions.ts'
