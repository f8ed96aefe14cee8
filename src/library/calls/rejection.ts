// What a call with `tx` rejects with if the database rejected a statement: the application began the transaction, and has to know.
import { databaseUnavailable, problemJson } from '../../api/problem.ts'
import { TerceError } from '../../client/path-client.ts'
import { StoreUnavailableError } from '../../domain/errors.ts'

export const NOT_BEGUN =
  'Begin a transaction before you pass the connection as tx, and await the call before you end it.'

/** PostgreSQL ended one of two transactions: a serialization failure, or a deadlock. */
const CONFLICTS: unknown[] = ['40001', '40P01']
const NO_ACTIVE_TRANSACTION = '25P01'

const CONFLICT = {
  code: 'TRANSACTION_CONFLICT',
  status: 409,
  detail: 'Another transaction changed the same rows. Roll back, and repeat the whole transaction.',
}

/** What a call rejects with for an unexpected error in the transaction. */
export function rejectionOf(error: unknown): Error {
  const cause = originOf(error)
  const { code } = cause as { code?: unknown }
  if (code === NO_ACTIVE_TRANSACTION) return new TypeError(NOT_BEGUN, { cause })
  if (CONFLICTS.includes(code)) return new TerceError(CONFLICT, { cause })
  const isOutage = error instanceof StoreUnavailableError
  return new TerceError(isOutage ? problemJson(databaseUnavailable()) : INTERNAL, { cause })
}

const INTERNAL = {
  code: 'INTERNAL',
  status: 500,
  detail: 'An error in the transaction: see its cause. Roll back.',
}

/** The error of the driver, which the store may have wrapped. */
function originOf(error: unknown): unknown {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const isOfDatabase = /^[0-9A-Z]{5}$/.test(String(code)) && !(error instanceof StoreUnavailableError)
  return isOfDatabase || !(cause instanceof Error) ? error : originOf(cause)
}
