// Prisma 7 with `@prisma/adapter-pg`, by its raw queries.

import { asJsonRows, type JsonRow, valuesOf } from '../../stores/postgres/clients/json-rows.ts'
import type { Transactions } from '../transactions.ts'

type Inside = {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T>
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>
}
type Limits = { maxWait: number; timeout: number }
type Client<Tx> = { $transaction<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> }

/** Terce limits the time of a handler; the 2 and 5 seconds of Prisma would end it before. */
const NO_LIMITS: Limits = { maxWait: 2 ** 31 - 1, timeout: 2 ** 31 - 1 }

/** Transactions of Prisma: `prisma(client)`. */
export function prisma<Tx extends Inside>(client: Client<Tx>): Transactions<Tx> {
  return {
    run: (work) => client.$transaction(work, NO_LIMITS),
    clientOf: (tx) => ({
      async query({ text, values = [] }) {
        const json = asJsonRows(text)
        try {
          if (json === null) return { rows: [], rowCount: await tx.$executeRawUnsafe(text, ...values) }
          const rows = await tx.$queryRawUnsafe<JsonRow[]>(json, ...values)
          return { rows: valuesOf(rows), rowCount: rows.length }
        } catch (error) {
          throw errorOfServer(error)
        }
      },
    }),
    // An operation of Prisma that has several statements would send the later ones after ROLLBACK, where they commit by themselves.
    async abandon(tx) {
      await tx.$queryRawUnsafe('SELECT pg_terminate_backend(pg_backend_pid())')
    },
  }
}

type Wrapped = {
  meta?: { driverAdapterError?: { cause?: { originalCode?: string; originalMessage?: string } } }
}

/** The error of PostgreSQL, with its SQLSTATE and message. */
function errorOfServer(error: unknown): unknown {
  const { originalCode, originalMessage } = (error as Wrapped).meta?.driverAdapterError?.cause ?? {}
  if (originalCode === undefined) return error
  return Object.assign(new Error(originalMessage, { cause: error }), { code: originalCode })
}
