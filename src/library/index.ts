// The exports of `terce`: the library, for an application that has Terce in its own process.
import './node-version.ts'

export { type ErrorCode, TerceError } from '../client/path-client.ts'
export { StoreUnavailableError } from '../domain/errors.ts'
export type { Message } from '../receiver/verify.ts'
export { ConfigError } from '../runtimes/config/config-error.ts'
export {
  type EventOf,
  type Handler,
  type HandlerContext,
  PermanentError,
  RetryLater,
} from './handlers/handler.ts'
export type { HandlerAttempt, TerceLogger } from './handlers/hooks.ts'
export type { Caller, Terce, TerceOptions } from './library.ts'
export { createTerce } from './terce.ts'
export type {
  PgClient,
  PgPool,
  PgTransaction,
  SqliteClient,
  SqliteDatabase,
  Transactions,
} from './transactions.ts'
