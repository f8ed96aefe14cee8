// Names the statements that a connection prepares, and decides which connections may: behind a pooler, the next transaction may
// run in another session, which has not prepared them.
import { createHash } from 'node:crypto'
import type pg from 'pg'

export type Preparing = {
  /** The name to prepare a statement under; none if this client must not. */
  nameOn(client: object, text: string): string | undefined
  /** SQL that `observe` needs at the end of the BEGIN of this client. */
  probe(client: object): string
  observe(client: pg.PoolClient, begun: pg.QueryResult | pg.QueryResult[]): void
  /** Whether the transaction failed only because its statements were prepared: to be run again without. */
  isToBlame(error: unknown): boolean
}

/** For one pool, whose statements name one schema. */
export function createPreparing(schema: string): Preparing {
  const names = new Map<string, string>()
  const isDirect = new WeakMap<object, boolean>()
  let isOff = false

  /** By its content: another installation, or another release, may use the connections of one pool. */
  function nameOf(text: string): string {
    let name = names.get(text)
    if (name === undefined) {
      name = `terce_${createHash('sha256').update(`${schema}\n${text}`).digest('base64url').slice(0, 22)}`
      names.set(text, name)
    }
    return name
  }

  return {
    nameOn: (client, text) => (!isOff && isDirect.get(client) === true ? nameOf(text) : undefined),
    probe: (client) => (isOff || isDirect.has(client) ? '' : '; SELECT pg_backend_pid()'),
    observe: (client, begun) => {
      if (isOff || isDirect.has(client)) return
      const results = [begun].flat()
      // A pooler sends a process id of its own when it accepts a connection.
      const { processID } = client as { processID?: number }
      isDirect.set(client, processID !== undefined && results.at(-1)?.rows?.[0]?.pg_backend_pid === processID)
    },
    isToBlame: (error) => {
      if (isLost(error)) isOff = true
      return isLost(error) || isOutdated(error)
    },
  }
}

const fieldOf = (error: unknown, field: 'code' | 'routine') =>
  (error as Partial<pg.DatabaseError> | null)?.[field]

/** The session does not have the statement, or has it from another client: a pooler lies between, or it was deallocated. */
const isLost = (error: unknown) => ['26000', '42P05'].includes(fieldOf(error, 'code') ?? '')

/** A migration changed the type of a column that the statement returns. */
export const isOutdated = (error: unknown) =>
  fieldOf(error, 'code') === '0A000' && fieldOf(error, 'routine') === 'RevalidateCachedQuery'
