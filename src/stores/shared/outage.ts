// Recognizes the errors of all drivers that mean an outage, and throws one error for them. Everything else is rethrown as it is.

import { decorateEach } from '../../domain/decorate.ts'
import { FROZEN, StoreUnavailableError } from '../../domain/errors.ts'
import { FROZEN_STATE } from './copy.ts'

const UNREACHABLE = 'The database cannot be reached'
const BUSY = 'The database is busy'
const FULL = 'The disk of the database is full'
const READ_ONLY = 'The database is read-only'
const MOVED = 'The file of the database was replaced or deleted: restart the process'
const DISK = 'The disk of the database cannot be read or written'

/** Error codes of sockets and of an open SQLite file, and SQLSTATEs of PostgreSQL. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  ECONNABORTED: UNREACHABLE,
  EPIPE: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  SQLITE_READONLY_DBMOVED: MOVED,
  '25006': READ_ONLY,
  '53100': FULL,
  '58030': DISK,
  // The server is shutting down, has crashed, or is starting up; the transaction or session was idle for too long.
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  '57P05': UNREACHABLE,
  '25P03': UNREACHABLE,
}

/** Classes of SQLSTATEs: 08 connection exception, 53 insufficient resources. */
const BY_CLASS: Readonly<Record<string, string>> = { '08': UNREACHABLE, '53': BUSY }

const SQLSTATE = /^[0-9A-Z]{5}$/

/** Primary result codes of SQLite. */
const BY_RESULT_CODE: Readonly<Record<number, readonly [name: string, outage: string]>> = {
  5: ['SQLITE_BUSY', BUSY],
  6: ['SQLITE_LOCKED', BUSY],
  8: ['SQLITE_READONLY', READ_ONLY],
  10: ['SQLITE_IOERR', DISK],
  13: ['SQLITE_FULL', FULL],
  14: ['SQLITE_CANTOPEN', DISK],
}

/** No trigger of Terce but those of a frozen database rejects a write. */
const SQLITE_CONSTRAINT_TRIGGER = 1811

/** Errors without a code: of the driver of PostgreSQL, and of D1. */
const BY_MESSAGE: readonly (readonly [pattern: RegExp, code: string, outage: string])[] = [
  [/timeout exceeded when trying to connect|Query read timeout/, 'TIMEOUT', UNREACHABLE],
  [/Connection terminated|connection error and is not queryable/, 'CONNECTION_TERMINATED', UNREACHABLE],
  [/SQLITE_(BUSY|LOCKED)/, 'SQLITE_BUSY', BUSY],
  [/SQLITE_FULL|[Ee]xceeded maximum DB size/, 'SQLITE_FULL', FULL],
  [/SQLITE_READONLY/, 'SQLITE_READONLY', READ_ONLY],
  [/SQLITE_IOERR/, 'SQLITE_IOERR', DISK],
  [/D1 DB is overloaded|Too many requests queued/, 'D1_OVERLOADED', BUSY],
  [/Network connection lost|caused object to be reset|Cannot resolve D1 DB/, 'D1_UNREACHABLE', UNREACHABLE],
]

type Fields = { code?: unknown; errcode?: unknown; message?: unknown; cause?: unknown; errors?: unknown }

/** The outage that an error means; null for any other error. Looks into causes, and into the errors of several addresses. */
export function outageOf(error: unknown): StoreUnavailableError | null {
  if (error instanceof StoreUnavailableError) return error
  if (!(error instanceof Error)) return null
  const { code, errcode, message, cause, errors } = error as Fields
  const isCoded = typeof errcode === 'number' || SQLSTATE.test(String(code)) || cause instanceof Error
  // Its text says what to do.
  if (code === FROZEN_STATE || errcode === SQLITE_CONSTRAINT_TRIGGER)
    return new StoreUnavailableError(String(message), FROZEN, error)
  // The message of a coded error can quote a row, which may contain any text.
  const found = byCode(String(code)) ?? byResultCode(errcode) ?? (isCoded ? null : byMessage(String(message)))
  if (found !== null) return new StoreUnavailableError(found.outage, found.code, error)
  for (const inner of [cause, ...(Array.isArray(errors) ? errors : [])]) {
    const outage = outageOf(inner)
    if (outage !== null) return outage
  }
  return null
}

type Found = { code: string; outage: string } | null

function byCode(code: string): Found {
  const outage = BY_CODE[code] ?? (SQLSTATE.test(code) ? BY_CLASS[code.slice(0, 2)] : undefined)
  return outage === undefined ? null : { code, outage }
}

function byResultCode(errcode: unknown): Found {
  // The low byte of an extended result code is the primary one.
  const [code, outage] = typeof errcode === 'number' ? (BY_RESULT_CODE[errcode & 0xff] ?? []) : []
  return code === undefined || outage === undefined ? null : { code, outage }
}

function byMessage(message: string): Found {
  const [, code, outage] = BY_MESSAGE.find(([pattern]) => pattern.test(message)) ?? []
  return code === undefined || outage === undefined ? null : { code, outage }
}

/** The store, whose methods throw a StoreUnavailableError during an outage. */
export function reportOutages<S extends object>(store: S): S {
  return decorateEach(
    store,
    (operation) =>
      (...args) =>
        operation(...args).catch(rethrow),
  )
}

function rethrow(error: unknown): never {
  throw outageOf(error) ?? error
}
